import { readScene } from '@/components/evidence/read-scene';
import type { Scene } from '@/components/evidence/scene.model';
import { hexFromBytes } from '@/lib/wkb/hex';

type Position = readonly number[];

/** Little-endian WKB written by hand, so that the bytes may be as wrong as a test wants. */
export class Bytes {
  private readonly parts: number[] = [];

  u32(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, value, true);
    this.parts.push(...new Uint8Array(view.buffer));
    return this;
  }

  head(type: number): this {
    this.parts.push(1);
    return this.u32(type);
  }

  positions(positions: readonly Position[]): this {
    for (const value of positions.flat()) {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, value, true);
      this.parts.push(...new Uint8Array(view.buffer));
    }
    return this;
  }

  polygon(rings: readonly (readonly Position[])[]): this {
    this.head(3).u32(rings.length);
    for (const ring of rings) this.u32(ring.length).positions(ring);
    return this;
  }

  line(positions: readonly Position[]): this {
    return this.head(2).u32(positions.length).positions(positions);
  }

  point(position: Position): this {
    return this.head(1).positions([position]);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.parts);
  }

  get hex(): string {
    return hexFromBytes(this.bytes);
  }
}

export function sceneOf(bytes: Bytes): Scene {
  return readScene(bytes.bytes);
}

export const square = (x: number, y: number, side: number): Position[] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];
