import { type LonLat, polygonFromText } from '@/lib/contract/area-polygon';

export function bboxText(bbox: readonly number[]): string {
  return bbox.join(',');
}

/** `lon,lat;lon,lat;…`: the contract's own form with a sign that needs no quotes. */
export function ringText(ring: readonly LonLat[]): string {
  return ring.map((position) => position.join(',')).join(';');
}

/** Four finite numbers, west, south, east, north; null where they are none. */
export function readBbox(text: string): [number, number, number, number] | null {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return numbers.length === 4 && numbers.every(Number.isFinite) ? (numbers as [number, number, number, number]) : null;
}

/** Positions with `;` or a space between; null where one is none. */
export function readRing(text: string): LonLat[] | null {
  const ring = polygonFromText(text);
  return ring.every((pair) => pair.length === 2 && pair.every(Number.isFinite)) ? (ring as LonLat[]) : null;
}
