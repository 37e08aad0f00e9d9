import { bytesFromHex } from '@/lib/wkb/hex';
import faulty from '@/test/fixtures/geometries/faulty.json';
import encodings from '@/test/fixtures/geometries/postgis-encodings.json';

export type FaultyName = keyof typeof faulty;
export const FAULTY_NAMES = Object.keys(faulty) as FaultyName[];

export function bytesOf(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (!bytes) throw new Error(`fixture is not hex: ${hex.slice(0, 40)}`);
  return bytes;
}

export function faultyBytes(name: FaultyName): Uint8Array {
  return bytesOf(faulty[name]);
}

/** Geometries written by PostGIS; see test/fixtures/geometries/README.md. */
export const ENCODINGS = encodings as {
  name: string;
  wkt: string;
  type: string;
  points: number[][];
  ewkb_ndr: string;
  ewkb_xdr: string;
  ewkb_ndr_no_srid: string;
  iso_ndr: string;
  iso_xdr: string;
}[];
