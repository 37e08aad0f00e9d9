'use client';
import type { ReactNode } from 'react';
import { GEOMETRY_FORMATS, type GeometryFormat, type Payload } from '@/lib/contract/entry';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';
import { disagrees } from './known.model';
import { bytesText } from './number-text.model';
import { PayloadSwitch } from './payload-switch';
import { visibleText } from './visible-text.model';

const FORMAT_WORDS: Record<GeometryFormat, string> = { wkb: 'WKB, as stored', wkt: 'WKT', geojson: 'GeoJSON' };

/** A longer claim (WKT, PROJJSON) takes the whole width. */
const LONGEST_IN_A_COLUMN = 24;

type Fact = { name: string; value: ReactNode; whole?: boolean };

/** What the task consumed, beside the geometry itself. Addresses of sources are text: nothing is fetched from them. */
export function PayloadFacts({
  id,
  payloads,
  current,
  version,
  now,
  action,
  onVersion,
}: {
  id: string;
  payloads: readonly Payload[];
  current: string;
  version: number;
  now: number;
  /** Stands at the head's right. */
  action?: ReactNode;
  onVersion: (version: number) => void;
}) {
  const payload = payloads[version];
  if (!payload) return null;
  return (
    <section aria-labelledby="pay-h">
      <div className="sub">
        <h3 id="pay-h">Payload</h3>
        {payload.payload_hash === current && (payload.geom_bytes ?? payload.blob_bytes) !== null && (
          <span className="cap take">
            Take the geometry as{' '}
            {GEOMETRY_FORMATS.map((format) => (
              <a key={format} className="link" href={`/api/dead-letters/${id}/geometry?format=${format}`} download>
                {FORMAT_WORDS[format]}
              </a>
            ))}
          </span>
        )}
        {payload.payload_hash !== current && (
          <span className="cap warn-t">another version; the panes show the current one</span>
        )}
        {action && <span className="right">{action}</span>}
      </div>
      <PayloadSwitch payloads={payloads} current={current} version={version} now={now} onVersion={onVersion} />
      <dl className="facts">
        {factsOf(payload).map(({ name, value, whole }) => (
          <div key={name} className={whole ? 'whole' : ''}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const none = <span className="faint">none</span>;
const mono = (text: string) => <span className="mono">{text}</span>;

function factsOf(payload: Payload): Fact[] {
  const { tile_z, tile_x, tile_y, source_window, source_uris } = payload;
  const size = payload.geom_bytes ?? payload.blob_bytes;
  const differs = disagrees(payload.srid, payload.src_crs);
  const tile = tile_z === null ? none : mono(`${tile_z}/${tile_x ?? '?'}/${tile_y ?? '?'}`);
  const facts: (Fact | null)[] = [
    { name: 'Geometry', value: payload.geom_type ?? (payload.payload_ref === null ? none : 'kept by reference') },
    { name: 'Size', value: size === null ? none : bytesText(size) },
    {
      name: 'CRS claimed',
      value: payload.src_crs === null ? none : <code className="mono claim">{visibleText(payload.src_crs)}</code>,
      whole: (payload.src_crs?.length ?? 0) > LONGEST_IN_A_COLUMN,
    },
    {
      name: 'SRID',
      value: (
        <>
          {payload.srid === null ? none : mono(String(payload.srid))}
          {differs && <span className="pill pill-warn">differs from the claim</span>}
        </>
      ),
    },
    {
      name: 'Tile',
      value: (
        <>
          {tile}{' '}
          {payload.tile_matrix_set && payload.tile_matrix_set !== 'WebMercatorQuad' && (
            <span className="faint">{payload.tile_matrix_set}</span>
          )}
        </>
      ),
    },
    { name: 'Target CRS', value: payload.target_crs === null ? none : mono(payload.target_crs) },
    { name: 'Nodata', value: payload.nodata === null ? none : mono(payload.nodata) },
    payload.geom_format && payload.geom_format !== 'wkb' ? { name: 'Given as', value: payload.geom_format } : null,
    source_window && { name: 'Window', value: mono(windowText(source_window)), whole: true },
    source_uris && source_uris.length > 0
      ? {
          name: source_uris.length === 1 ? 'Source' : 'Sources',
          whole: true,
          value: source_uris.map((uri) => (
            <span key={uri} className="mono uri">
              {uri}
            </span>
          )),
        }
      : null,
    payload.payload_ref === null ? null : { name: 'Kept as', value: <KeptAs payload={payload} />, whole: true },
    payload.edited_by === null ? null : { name: 'Edited by', value: payload.edited_by, whole: true },
    { name: 'Payload hash', value: mono(payload.payload_hash), whole: true },
  ];
  return facts.filter((fact) => fact !== null);
}

/** The name of a blob, and the blob itself to take away where it is there. */
function KeptAs({ payload: { payload_ref, blob_bytes } }: { payload: Payload }) {
  const sha256 = sha256OfRef(payload_ref);
  return (
    <>
      <span className="mono">{payload_ref}</span>{' '}
      {sha256 !== null && blob_bytes !== null && (
        <a className="link" href={`/api/blobs/${sha256}`} download>
          Take the blob, {bytesText(blob_bytes)}
        </a>
      )}
      {sha256 !== null && blob_bytes === null && <span className="pill pill-warn">not in the blob store</span>}
    </>
  );
}

const windowText = (window: Record<string, number>) =>
  Object.entries(window)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
