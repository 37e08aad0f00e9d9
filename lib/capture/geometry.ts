import { SIZE_RULE_BYTES } from '../dead-letter/size-rule';
import { columnText } from './error-evidence';
import { hexOf } from './hex';
import { type JsonText, jsonText } from './params-json';

/** WKB bytes (or their hex text, as PostGIS answers it), WKT text, or a GeoJSON geometry as object or text. */
export type GeometryInput = Uint8Array | ArrayBuffer | string | object;

export type GeometryFormat = 'wkb' | 'wkt' | 'geojson';

/** A payload's geometry in the form it was given: as a member of the capture's text, or as the bytes of a blob. */
export interface GeometryPart {
  geom_format: GeometryFormat;
  /** Of the blob. */
  size_bytes: number;
  /** What a blob holds: WKB byte for byte as given, or the UTF-8 bytes of the text. */
  bytes(): Uint8Array;
  /** The JSON value of the capture's member, for one within the size rule; a larger one may exceed what a string holds. */
  json(): string;
  /** By JSON Pointer, the names of the values that GeoJSON's text could not hold. */
  replaced: Record<string, string>;
}

/** A vertex is three values, so that this is some ten million vertices: far over what a string of V8 can hold as text. */
const MAX_GEOJSON_VALUES = 40_000_000;

/** Names the form that a geometry was given in and takes it as it is at this moment; null where there is none. */
export function geometryPart(geometry: unknown): GeometryPart | null {
  if (geometry === null || geometry === undefined) return null;
  if (typeof geometry === 'string') {
    const hex = HEX_WKB.exec(geometry)?.[1];
    if (hex && hex.length % 2 === 0) return wkbPart(Buffer.from(hex, 'hex'));
    return geometry.trimStart().startsWith('{') ? textPart('geojson', geometry) : textPart('wkt', columnText(geometry));
  }
  if (ArrayBuffer.isView(geometry)) {
    return wkbPart(new Uint8Array(geometry.buffer, geometry.byteOffset, geometry.byteLength));
  }
  if (isBuffer(geometry)) return wkbPart(new Uint8Array(geometry));
  const { text, replaced } = jsonText(geometry, MAX_GEOJSON_VALUES);
  return { ...textPart('geojson', text, replaced), json: () => text };
}

/** The task may use its buffer again while the capture waits: what is written later is a copy. */
function wkbPart(given: Uint8Array): GeometryPart {
  const size_bytes = given.byteLength;
  if (size_bytes > SIZE_RULE_BYTES) {
    const copy = Uint8Array.prototype.slice.call(given);
    return { geom_format: 'wkb', size_bytes, bytes: () => copy, json: () => `"${hexOf(copy)}"`, replaced: {} };
  }
  const hex = hexOf(given);
  return {
    geom_format: 'wkb',
    size_bytes,
    bytes: () => Buffer.from(hex, 'hex'),
    json: () => `"${hex}"`,
    replaced: {},
  };
}

function textPart(geom_format: 'wkt' | 'geojson', text: string, replaced: JsonText['replaced'] = {}): GeometryPart {
  return {
    geom_format,
    size_bytes: Buffer.byteLength(text),
    bytes: () => Buffer.from(text),
    json: () => JSON.stringify(text),
    replaced,
  };
}

/** EWKB begins with its byte order; no WKT does. */
const HEX_WKB = /^(?:\\x|0x)?(0[01][0-9a-f]*)\s*$/i;

function isBuffer(value: unknown): value is ArrayBuffer | SharedArrayBuffer {
  return (
    value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer)
  );
}
