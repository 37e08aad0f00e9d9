import type { FaultCode } from '@/lib/dead-letter/vocabulary';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';
import { box, line, multi, type Point, polygon, type Ring } from './random-geometries';

/** A geometry, and the code of the fault that comes first where PostGIS calls it invalid; null where it is valid. */
export interface HandMade {
  name: string;
  tree: GeometryTree;
  code: FaultCode | null;
}

export const BOW_TIE: Ring = [
  [0, 0],
  [4, 4],
  [0, 4],
  [4, 0],
  [0, 0],
];
export const SQUARE = box(0, 0, 10, 10);
/** Corners on the middle of the sides of SQUARE. */
export const INSCRIBED: Ring = [
  [5, 0],
  [10, 5],
  [5, 10],
  [0, 5],
  [5, 0],
];
/** A figure of eight that meets itself in a vertex and does not cross. */
export const PINCHED: Ring = [
  [0, 0],
  [4, 4],
  [8, 0],
  [8, 8],
  [4, 4],
  [0, 8],
  [0, 0],
];
/** Its fourth corner points inwards. */
export const NOTCHED: Ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [5, 3],
  [0, 10],
  [0, 0],
];
const diamond = (x: number, y: number, r: number): Ring => [
  [x - r, y],
  [x, y + r],
  [x + r, y],
  [x, y - r],
  [x - r, y],
];
const far = (ring: Ring, by: number): Ring => ring.map(([x, y]): Point => [x + by, y + by]);
const collection = (...parts: GeometryTree[]): GeometryTree => ({ type: 7, dims: 0, parts });

export const HAND_MADE: readonly HandMade[] = [
  { name: 'a square is valid', tree: polygon(SQUARE), code: null },
  { name: 'a bow-tie crosses itself', tree: polygon(BOW_TIE), code: 'self_intersection' },
  { name: 'a bow-tie in metres crosses itself', tree: polygon(far(BOW_TIE, 4_321_987.65)), code: 'self_intersection' },
  { name: 'a ring pinched at a vertex touches itself', tree: polygon(PINCHED), code: 'ring_self_touch' },
  {
    name: 'a vertex on an edge of its own ring touches it',
    tree: polygon([
      [0, 0],
      [8, 0],
      [8, 8],
      [4, 0],
      [0, 8],
      [0, 0],
    ]),
    code: 'ring_self_touch',
  },
  { name: 'a hole in the middle is valid', tree: polygon(SQUARE, box(3, 3, 2, 2)), code: null },
  { name: 'a hole that touches the shell once is valid', tree: polygon(SQUARE, diamond(5, 2, 2)), code: null },
  {
    name: 'a hole that touches the shell twice cuts it',
    tree: polygon(SQUARE, [
      [0, 5],
      [5, 6],
      [10, 5],
      [5, 4],
      [0, 5],
    ]),
    code: 'interior_disconnected',
  },
  {
    name: 'a hole whose every vertex lies on the shell',
    tree: polygon(SQUARE, INSCRIBED),
    code: 'interior_disconnected',
  },
  { name: 'a hole outside the shell', tree: polygon(SQUARE, box(20, 3, 2, 2)), code: 'hole_outside_shell' },
  {
    name: 'a hole outside that touches the shell from there',
    tree: polygon(INSCRIBED, [
      [10, 5],
      [12, 4],
      [12, 6],
      [10, 5],
    ]),
    code: 'hole_outside_shell',
  },
  { name: 'a hole across the shell', tree: polygon(SQUARE, box(8, 3, 5, 2)), code: 'self_intersection' },
  { name: 'a hole with an edge on the shell', tree: polygon(SQUARE, box(8, 3, 2, 2)), code: 'self_intersection' },
  { name: 'a hole equal to the shell', tree: polygon(SQUARE, SQUARE), code: 'duplicate_rings' },
  { name: 'a hole in a hole', tree: polygon(SQUARE, box(1, 1, 6, 6), box(3, 3, 1, 1)), code: 'nested_holes' },
  {
    name: 'a hole in a hole that it touches',
    tree: polygon(SQUARE, box(1, 1, 6, 6), [
      [1, 1],
      [3, 2],
      [2, 3],
      [1, 1],
    ]),
    code: 'nested_holes',
  },
  {
    name: 'a hole that begins at a corner which points inwards is valid',
    tree: polygon(NOTCHED, [
      [5, 3],
      [6, 1],
      [4, 1],
      [5, 3],
    ]),
    code: null,
  },
  {
    name: 'a hole in the notch outside, touching the corner which points inwards',
    tree: polygon(NOTCHED, [
      [5, 3],
      [6, 8],
      [4, 8],
      [5, 3],
    ]),
    code: 'hole_outside_shell',
  },
  { name: 'two holes that touch are valid', tree: polygon(SQUARE, diamond(3, 5, 2), diamond(7, 5, 2)), code: null },
  {
    name: 'holes in a chain from side to side cut the interior',
    tree: polygon(SQUARE, diamond(2.5, 5, 2.5), diamond(7.5, 5, 2.5)),
    code: 'interior_disconnected',
  },
  {
    name: 'four holes in a circle cut off what lies between',
    tree: polygon(box(-10, -10, 20, 20), diamond(2, 2, 2), diamond(-2, 2, 2), diamond(-2, -2, 2), diamond(2, -2, 2)),
    code: 'interior_disconnected',
  },
  {
    name: 'three holes that meet in one point are valid',
    tree: polygon(
      box(-10, -10, 20, 20),
      [
        [0, 0],
        [4, 1],
        [4, 2],
        [0, 0],
      ],
      [
        [0, 0],
        [-4, 1],
        [-4, 2],
        [0, 0],
      ],
      [
        [0, 0],
        [1, -4],
        [2, -4],
        [0, 0],
      ],
    ),
    code: null,
  },
  {
    name: 'a spike of two edges on each other',
    tree: polygon([
      [0, 0],
      [4, 0],
      [4, 4],
      [4, 9],
      [4, 4],
      [0, 4],
      [0, 0],
    ]),
    code: 'spike',
  },
  {
    name: 'a flat ring',
    tree: polygon([
      [0, 0],
      [2, 2],
      [5, 5],
      [0, 0],
    ]),
    code: 'zero_area',
  },
  {
    name: 'a ring of one place',
    tree: polygon([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]),
    code: 'too_few_points',
  },
  {
    name: 'a ring of two places',
    tree: polygon([
      [1, 1],
      [2, 2],
      [2, 2],
      [1, 1],
    ]),
    code: 'too_few_points',
  },
  {
    name: 'a ring of three vertices',
    tree: polygon([
      [1, 1],
      [2, 2],
      [1, 1],
    ]),
    code: 'too_few_points',
  },
  { name: 'an open ring', tree: polygon(SQUARE.slice(0, 4)), code: 'unclosed_ring' },
  {
    name: 'a lost vertex',
    tree: polygon([
      [0, 0],
      [4, 0],
      [Number.NaN, 4],
      [0, 4],
      [0, 0],
    ]),
    code: 'non_finite_vertex',
  },
  {
    name: 'repeated vertices are valid',
    tree: polygon([
      [0, 0],
      [4, 0],
      [4, 0],
      [4, 4],
      [0, 0],
      [0, 0],
    ]),
    code: null,
  },
  { name: 'parts apart are valid', tree: multi([SQUARE], [box(20, 0, 5, 5)]), code: null },
  { name: 'parts that meet in a corner are valid', tree: multi([SQUARE], [box(10, 10, 5, 5)]), code: null },
  {
    name: 'parts that meet in two corners are valid',
    tree: multi(
      [INSCRIBED],
      [
        [
          [10, 5],
          [20, 20],
          [5, 10],
          [12, 12],
          [10, 5],
        ],
      ],
    ),
    code: null,
  },
  { name: 'parts that share a side', tree: multi([SQUARE], [box(10, 0, 5, 10)]), code: 'overlapping_parts' },
  { name: 'parts that overlap', tree: multi([SQUARE], [box(5, 5, 10, 10)]), code: 'overlapping_parts' },
  {
    name: 'parts that cross at a vertex of both',
    tree: multi(
      [INSCRIBED],
      [
        [
          [5, 0],
          [20, 5],
          [5, 5],
          [5, 0],
        ],
      ],
    ),
    code: 'overlapping_parts',
  },
  { name: 'one part twice', tree: multi([SQUARE], [SQUARE]), code: 'duplicate_rings' },
  { name: 'a part inside a part', tree: multi([SQUARE], [box(3, 3, 2, 2)]), code: 'nested_shells' },
  { name: 'a part inside that touches from there', tree: multi([SQUARE], [diamond(5, 2, 2)]), code: 'nested_shells' },
  { name: 'an island in a lake is valid', tree: multi([SQUARE, box(1, 1, 8, 8)], [box(3, 3, 2, 2)]), code: null },
  {
    name: 'an island that touches the shore is valid',
    tree: multi([SQUARE, box(1, 1, 8, 8)], [diamond(5, 5, 4)]),
    code: null,
  },
  {
    name: 'a line of one place',
    tree: line([
      [3, 3],
      [3, 3],
    ]),
    code: 'zero_length',
  },
  { name: 'a line that crosses itself is valid', tree: line(BOW_TIE), code: null },
  {
    name: 'a line that goes back on itself is valid',
    tree: line([
      [0, 0],
      [4, 0],
      [0, 0],
    ]),
    code: null,
  },
  {
    name: 'a bow-tie deep in a collection',
    tree: collection(
      line([
        [0, 0],
        [1, 1],
      ]),
      collection(polygon(BOW_TIE)),
    ),
    code: 'self_intersection',
  },
  { name: 'parts of a collection may overlap', tree: collection(polygon(SQUARE), polygon(SQUARE)), code: null },
  { name: 'an empty collection is valid', tree: collection(), code: null },
  {
    name: 'a triangle',
    tree: {
      ...polygon([
        [0, 0],
        [4, 0],
        [0, 4],
        [0, 0],
      ]),
      type: 17,
    },
    code: null,
  },
  {
    name: 'a flat triangle',
    tree: {
      ...polygon([
        [0, 0],
        [4, 0],
        [2, 0],
        [0, 0],
      ]),
      type: 17,
    },
    code: 'zero_area',
  },
  {
    name: 'a bow-tie as a curve polygon of straight rings',
    tree: { type: 10, dims: 0, parts: [line(BOW_TIE)] },
    code: 'self_intersection',
  },
];
