import type { GeometryTree } from './geometry-tree';
import { CIRCULAR_STRING, encodeEwkbTypeWord, LINE_STRING, POINT, POLYGON, strideOf, TRIANGLE } from './geometry-type';

/**
 * Writes a tree as little-endian EWKB, byte for byte as PostGIS would: the SRID (uint32) only on the root, Z and M
 * flags on every part. Rings are written as they are, closed or not. A Point without coordinates becomes NaN.
 */
export function writeEwkb(tree: GeometryTree, srid: number | null = null): Uint8Array {
  const bytes = new Uint8Array(sizeOf(tree) + (srid === null ? 0 : 4));
  new EwkbWriter(new DataView(bytes.buffer)).geometry(tree, srid);
  return bytes;
}

function hasRings(tree: GeometryTree): boolean {
  return tree.type === POLYGON || tree.type === TRIANGLE;
}

function isSequence(tree: GeometryTree): boolean {
  return tree.type === LINE_STRING || tree.type === CIRCULAR_STRING;
}

function sizeOf(tree: GeometryTree): number {
  if (tree.type === POINT) return 5 + strideOf(tree.dims) * 8;
  if (isSequence(tree)) return 9 + (tree.coords?.length ?? 0) * 8;
  if (hasRings(tree)) return (tree.rings ?? []).reduce((size, ring) => size + 4 + ring.length * 8, 9);
  return (tree.parts ?? []).reduce((size, part) => size + sizeOf(part), 9);
}

class EwkbWriter {
  private offset = 0;

  constructor(private readonly view: DataView) {}

  geometry(tree: GeometryTree, srid: number | null): void {
    const stride = strideOf(tree.dims);
    this.view.setUint8(this.offset, 1);
    this.offset += 1;
    this.count(encodeEwkbTypeWord(tree.type, tree.dims, srid !== null));
    if (srid !== null) this.count(srid);
    if (tree.type === POINT) {
      this.doubles(tree.coords && tree.coords.length > 0 ? tree.coords : new Array<number>(stride).fill(NaN));
    } else if (isSequence(tree)) {
      this.sequence(tree.coords ?? [], stride);
    } else if (hasRings(tree)) {
      const rings = tree.rings ?? [];
      this.count(rings.length);
      for (const ring of rings) this.sequence(ring, stride);
    } else {
      const parts = tree.parts ?? [];
      this.count(parts.length);
      for (const part of parts) this.geometry(part, null);
    }
  }

  private sequence(coords: number[], stride: number): void {
    this.count(coords.length / stride);
    this.doubles(coords);
  }

  private count(value: number): void {
    this.view.setUint32(this.offset, value, true);
    this.offset += 4;
  }

  private doubles(values: number[]): void {
    for (const value of values) {
      this.view.setFloat64(this.offset, value, true);
      this.offset += 8;
    }
  }
}
