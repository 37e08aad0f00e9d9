import type { Capture } from '@/lib/contract/capture';
import { DlqError } from '@/lib/contract/error';
import { ewkbFromGeoJson } from '@/lib/wkb/from-geojson';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import type { GeometryBytes } from '@/lib/wkb/geometry-tree';
import { bytesOfWkbText } from './wkb-text';

/** A geometry as a capture stores it: bytes where there are any, the text where one was given, and why it is unreadable. */
export interface GivenGeometry {
  wkb: Uint8Array | null;
  geom_given: string | null;
  geom_format: 'wkb' | 'wkt' | 'geojson' | null;
  geom_error: string | null;
}

const FORMS = ['geom_wkb', 'geom_wkt', 'geom_geojson', 'payload_ref'] as const;

/**
 * Reads whichever form was given; `geojson_text` is that member as it stood in the body. What cannot be read is kept
 * as text with the reason; one kept by reference is not read here. @throws DlqError only where two forms are given, since
 * one of them would be lost, and where geom_format says what there is no reference for.
 */
export function readGeometry(capture: Capture, geojson_text: string | undefined): GivenGeometry {
  const forms = FORMS.filter((name) => capture[name] !== undefined && capture[name] !== null);
  if (forms.length > 1) throw new DlqError('bad_request', `${forms.join(' and ')} are both given: send one geometry`);
  if (capture.geom_format && !capture.payload_ref)
    throw new DlqError(
      'bad_request',
      'geom_format says what payload_ref names, and there is no payload_ref: leave it out',
    );
  if (capture.payload_ref)
    return { wkb: null, geom_given: null, geom_format: capture.geom_format ?? 'wkb', geom_error: null };
  if (typeof capture.geom_wkb === 'string') return fromWkbText(capture.geom_wkb);
  if (typeof capture.geom_wkt === 'string') return fromText(capture.geom_wkt, 'wkt', ewkbFromWkt(capture.geom_wkt));
  if (forms.length === 0) return { wkb: null, geom_given: null, geom_format: null, geom_error: null };
  // ST_AsGeoJSON gives text, and so it is often sent: a string that holds the object.
  if (typeof capture.geom_geojson === 'string') return fromGeoJsonText(capture.geom_geojson);
  return fromText(geojson_text ?? '', 'geojson', ewkbFromGeoJson(capture.geom_geojson));
}

function fromWkbText(text: string): GivenGeometry {
  const wkb = bytesOfWkbText(text);
  if (wkb) return { wkb, geom_given: null, geom_format: 'wkb', geom_error: null };
  return { wkb: null, geom_given: text, geom_format: 'wkb', geom_error: 'geom_wkb is neither hex nor base64' };
}

function fromGeoJsonText(text: string): GivenGeometry {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      wkb: null,
      geom_given: text,
      geom_format: 'geojson',
      geom_error: 'geom_geojson is a text that is not JSON',
    };
  }
  return fromText(text, 'geojson', ewkbFromGeoJson(value));
}

function fromText(text: string, geom_format: 'wkt' | 'geojson', read: GeometryBytes): GivenGeometry {
  const given = { geom_given: text, geom_format };
  if ('bytes' in read) return { ...given, wkb: read.bytes, geom_error: null };
  return { ...given, wkb: null, geom_error: `${read.error.message} (at ${read.error.at})` };
}
