/**
 * Every type 1–17 in every dimension, filled and empty, as EWKB with and without SRID and as ISO WKB, little-endian,
 * big-endian, and with the order turning from geometry to geometry. Written by this file alone, so that a mistake of
 * the reader is not made twice.
 */
export type Flavour = 'ewkb' | 'ewkb_srid' | 'iso';
export type Order = 'little' | 'big' | 'mixed';
export type FieldKind = 'order' | 'type' | 'srid' | 'count' | 'number';
export interface Field {
  kind: FieldKind;
  offset: number;
  length: number;
  little: boolean;
}
export interface Encoding {
  name: string;
  type: number;
  has_z: boolean;
  has_m: boolean;
  flavour: Flavour;
  order: Order;
  bytes: Uint8Array;
  fields: Field[];
  /** Every number of every vertex, in the order of the bytes. */
  numbers: number[];
  vertex_count: number;
  /** Nothing but headers and counts of 0 (a Point is one vertex of NaN). */
  empty: boolean;
}

type Vertex = number[];
type Shape = { type: number } & (
  | { vertex: Vertex }
  | { vertices: Vertex[] }
  | { rings: Vertex[][] }
  | { parts: Shape[] }
);

export const SRID = 4326;
const TYPES = Array.from({ length: 17 }, (_, i) => i + 1);
const DIMENSIONS = [
  { has_z: false, has_m: false },
  { has_z: true, has_m: false },
  { has_z: false, has_m: true },
  { has_z: true, has_m: true },
];

export function corpus(): Encoding[] {
  const all: Encoding[] = [];
  for (const type of TYPES)
    for (const { has_z, has_m } of DIMENSIONS)
      for (const empty of [false, true])
        for (const flavour of ['ewkb', 'ewkb_srid', 'iso'] as const)
          for (const order of ['little', 'big', 'mixed'] as const) {
            const stride = 2 + Number(has_z) + Number(has_m);
            const shape = empty ? emptyShape(type, stride) : filledShape(type, vertices(stride));
            const name = `type ${type}${has_z ? ' Z' : ''}${has_m ? ' M' : ''}${empty ? ' empty' : ''}, ${flavour}, ${order}`;
            all.push({
              name,
              type,
              has_z,
              has_m,
              flavour,
              order,
              empty,
              ...write(shape, { has_z, has_m, flavour, order }),
            });
          }
  return all;
}

/** Different numbers, none of them whole, some below zero and one very small. */
function vertices(stride: number): () => Vertex {
  let next = 0;
  return () =>
    Array.from({ length: stride }, () => {
      next += 1;
      return next === 7 ? 5e-324 : (next % 3 === 0 ? -1 : 1) * (next * 10 + 0.1);
    });
}

function filledShape(type: number, vertex: () => Vertex): Shape {
  const line = (count: number) => Array.from({ length: count }, vertex);
  const ring = () => {
    const open = line(3);
    return [...open, open[0]!];
  };
  const of = (inner: number) => filledShape(inner, vertex);
  switch (type) {
    case 1:
      return { type, vertex: vertex() };
    case 2:
    case 8:
      return { type, vertices: line(3) };
    case 3:
      return { type, rings: [ring(), ring()] };
    case 17:
      return { type, rings: [ring()] };
    case 4:
      return { type, parts: [of(1), of(1)] };
    case 5:
      return { type, parts: [of(2), of(2)] };
    case 6:
    case 15:
      return { type, parts: [of(3), of(3)] };
    case 7:
      return { type, parts: [of(1), { type: 7, parts: [of(3), of(8)] }, of(2)] };
    case 9: {
      const arc = line(3);
      return {
        type,
        parts: [
          { type: 8, vertices: arc },
          { type: 2, vertices: [arc[2]!, ...line(1)] },
        ],
      };
    }
    case 10:
    case 13:
      return { type, parts: [{ type: 2, vertices: ring() }] };
    case 11:
    case 14:
      return { type, parts: [of(2), of(8), of(9)] };
    case 12:
      return { type, parts: [of(3), of(10)] };
    default:
      return { type, parts: [of(17), of(17)] };
  }
}

function emptyShape(type: number, stride: number): Shape {
  if (type === 1) return { type, vertex: new Array<number>(stride).fill(Number.NaN) };
  if (type === 2 || type === 8) return { type, vertices: [] };
  return type === 3 || type === 17 ? { type, rings: [] } : { type, parts: [] };
}

type Written = Pick<Encoding, 'bytes' | 'fields' | 'numbers' | 'vertex_count'>;

function write(
  shape: Shape,
  { has_z, has_m, flavour, order }: Pick<Encoding, 'has_z' | 'has_m' | 'flavour' | 'order'>,
): Written {
  const view = new DataView(new ArrayBuffer(4096));
  const fields: Field[] = [];
  const numbers: number[] = [];
  let at = 0;
  let geometries = 0;
  let vertex_count = 0;
  const put = (kind: FieldKind, length: number, little: boolean, set: (offset: number) => void) => {
    set(at);
    fields.push({ kind, offset: at, length, little });
    at += length;
  };
  const putCount = (count: number, little: boolean) =>
    put('count', 4, little, (offset) => view.setUint32(offset, count, little));
  const putVertex = (vertex: Vertex, little: boolean) => {
    vertex_count += 1;
    for (const value of vertex) {
      numbers.push(value);
      put('number', 8, little, (offset) => view.setFloat64(offset, value, little));
    }
  };
  const putGeometry = (one: Shape, is_root: boolean) => {
    const little = order === 'mixed' ? geometries % 2 === 0 : order === 'little';
    geometries += 1;
    const with_srid = is_root && flavour === 'ewkb_srid';
    const iso = one.type + (has_z ? 1000 : 0) + (has_m ? 2000 : 0);
    const flags = (has_z ? 0x80000000 : 0) + (has_m ? 0x40000000 : 0) + (with_srid ? 0x20000000 : 0);
    put('order', 1, little, (offset) => view.setUint8(offset, Number(little)));
    put('type', 4, little, (offset) => view.setUint32(offset, flavour === 'iso' ? iso : one.type + flags, little));
    if (with_srid) put('srid', 4, little, (offset) => view.setUint32(offset, SRID, little));
    if ('vertex' in one) putVertex(one.vertex, little);
    else if ('vertices' in one) {
      putCount(one.vertices.length, little);
      for (const vertex of one.vertices) putVertex(vertex, little);
    } else if ('rings' in one) {
      putCount(one.rings.length, little);
      for (const ring of one.rings) {
        putCount(ring.length, little);
        for (const vertex of ring) putVertex(vertex, little);
      }
    } else {
      putCount(one.parts.length, little);
      for (const part of one.parts) putGeometry(part, false);
    }
  };
  putGeometry(shape, true);
  return { bytes: new Uint8Array(view.buffer.slice(0, at)), fields, numbers, vertex_count };
}
