/** WKB bytes, WKT text, or a GeoJSON geometry (or anything else that describes one). */
export type GeometryInput = Uint8Array | string | object;

export interface GeometryFields {
  geom_wkb?: string;
  geom_wkt?: string;
  geom_geojson?: unknown;
}

/** Names the form that a geometry was given in. Bytes become hex, byte for byte; text and objects pass as they are. */
export function geometryFields(geometry: unknown): GeometryFields {
  if (geometry === null || geometry === undefined) return {};
  if (ArrayBuffer.isView(geometry)) {
    return { geom_wkb: hexOf(new Uint8Array(geometry.buffer, geometry.byteOffset, geometry.byteLength)) };
  }
  if (geometry instanceof ArrayBuffer) return { geom_wkb: hexOf(new Uint8Array(geometry)) };
  if (typeof geometry === 'string') return { geom_wkt: geometry };
  return { geom_geojson: geometry };
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
