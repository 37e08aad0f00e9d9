import { feature } from 'topojson-client';
import countries from 'world-atlas/countries-110m.json';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';

/** Seeded (mulberry32): the same geometries on every machine. */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** From `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }
}

export type Point = [number, number];
export type Ring = Point[];

export const closed = (points: Ring): Ring => [...points, points[0] as Point];
export const box = (x: number, y: number, width: number, height: number): Ring =>
  closed([
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]);
export const polygon = (...rings: Ring[]): GeometryTree => ({
  type: 3,
  dims: 0,
  rings: rings.map((ring) => ring.flat()),
});
export const multi = (...parts: Ring[][]): GeometryTree => ({
  type: 6,
  dims: 0,
  parts: parts.map((rings) => polygon(...rings)),
});
export const line = (points: Ring): GeometryTree => ({ type: 2, dims: 0, coords: points.flat() });

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

function gridRing(random: Random, size: number, max = 8): Ring {
  return closed(many(random.integer(3, max), () => [random.integer(0, size), random.integer(0, size)]));
}

/** A small simple ring whose corners often meet those of others. */
function stone(random: Random, size: number): Ring {
  const [x, y] = [random.integer(0, size), random.integer(0, size)];
  const r = random.integer(1, 2);
  const shapes: Ring[] = [
    box(x, y, r, r),
    closed([
      [x, y - r],
      [x + r, y],
      [x, y + r],
      [x - r, y],
    ]),
    closed([
      [x, y],
      [x + r, y],
      [x, y + r],
    ]),
    box(x, y, random.integer(1, 4), random.integer(1, 4)),
  ];
  const ring = random.pick(shapes);
  return turned(random, random.chance(0.5) ? ring : [...ring].reverse());
}

/** The same ring from another start. */
function turned(random: Random, ring: Ring): Ring {
  const open = ring.slice(0, -1);
  const from = random.integer(0, open.length - 1);
  return closed([...open.slice(from), ...open.slice(0, from)]);
}

function starShaped(random: Random, x: number, y: number, radius: number, count: number): Ring {
  return closed(
    many(count, (n) => {
      const angle = (2 * Math.PI * n) / count;
      const r = radius * (0.5 + 0.5 * random.next());
      return [x + r * Math.cos(angle), y + r * Math.sin(angle)];
    }),
  );
}

function comb(random: Random): Ring {
  const teeth = random.integer(2, 12);
  const points: Ring = [];
  for (let n = 0; n < teeth; n++)
    points.push([2 * n, 0], [2 * n + random.pick([0, 1, 1, 1, 2, 3]), random.integer(-1, 5)], [2 * n + 1, 0]);
  points.push([2 * teeth, random.pick([-3, -3, 2])], [0, -3]);
  return closed(points);
}

const shapes = (
  feature(countries as never, (countries as never as { objects: { countries: never } }).objects.countries) as never as {
    features: { geometry: { type: string; coordinates: unknown } }[];
  }
).features.map(({ geometry }) => geometry);

/** A country whose vertices are moved a little, or put on a grid: what careless simplification does. */
function country(random: Random): GeometryTree {
  const { type, coordinates } = random.pick(shapes);
  const parts = (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][];
  const [grid, jitter] = random.pick([
    [0, 0],
    [0, 0.3],
    [0, 2],
    [0.5, 0],
    [1, 0],
    [3, 0],
  ]) as [number, number];
  const move = (value: number) => (grid > 0 ? Math.round(value / grid) * grid : value + (random.next() - 0.5) * jitter);
  const moved = parts.map((rings) =>
    rings.map((ring) => closed(ring.slice(0, -1).map(([x, y]): Point => [move(x), move(y)]))),
  );
  return moved.length === 1 ? polygon(...(moved[0] as Ring[])) : multi(...moved);
}

/** Vertices laid on other edges, as far as rounding lets them lie there. */
function rounded(random: Random): GeometryTree {
  const scale = random.pick([1, 1e-3, 4.7e5, 1e-9]);
  const shell = starShaped(random, 0.3 * scale, 0.7 * scale, scale, random.integer(3, 9));
  const onShell = (n: number): Point => {
    const [a, b] = [shell[n % (shell.length - 1)] as Point, shell[(n % (shell.length - 1)) + 1] as Point];
    const t = random.pick([0.5, 0.25, 1 / 3, random.next(), 0]);
    return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
  };
  const centre: Point = [0.3 * scale, 0.7 * scale];
  const hole: Ring = closed([
    onShell(random.integer(0, 20)),
    centre,
    random.chance(0.5) ? onShell(random.integer(0, 20)) : [centre[0] + 0.1 * scale, centre[1]],
  ]);
  return random.chance(0.5) ? polygon(shell, hole) : multi([shell], [hole]);
}

const AREAS: Record<string, (random: Random) => GeometryTree> = {
  gridPolygon: (random) => polygon(gridRing(random, random.integer(2, 7))),
  gridHoles: (random) => polygon(box(0, 0, 6, 6), ...many(random.integer(1, 3), () => gridRing(random, 6, 5))),
  gridMulti: (random) => multi(...many(random.integer(2, 4), () => [gridRing(random, 6, 5)])),
  stones: (random) => polygon(turned(random, box(0, 0, 9, 9)), ...many(random.integer(1, 9), () => stone(random, 8))),
  diamonds: (random) =>
    polygon(
      box(0, 0, 8, 8),
      ...many(random.integer(2, 8), () => {
        const [x, y] = [random.integer(1, 7), random.integer(1, 7)];
        return turned(
          random,
          closed([
            [x, y - 1],
            [x + 1, y],
            [x, y + 1],
            [x - 1, y],
          ]),
        );
      }),
    ),
  parts: (random) =>
    multi(...many(random.integer(2, 5), () => [stone(random, 12), ...(random.chance(0.2) ? [stone(random, 12)] : [])])),
  islands: (random) => {
    const ring = box(1, 1, 6, 6);
    const inner = random.chance(0.5) ? box(2, 2, 3, 3) : stone(random, 7);
    return multi(
      ...(random.chance(0.5)
        ? [[inner], [box(0, 0, 9, 9), ring]]
        : [[box(0, 0, 9, 9), ring], [inner], [stone(random, 8)]]),
    );
  },
  star: (random) => {
    const [count, step] = [random.integer(5, 23), random.integer(2, 5)];
    return polygon(
      closed(
        many(count, (n) => [Math.cos((2 * Math.PI * n * step) / count), Math.sin((2 * Math.PI * n * step) / count)]),
      ),
    );
  },
  comb: (random) => polygon(comb(random)),
  walk: (random) => {
    let [x, y] = [0, 0];
    const step = random.chance(0.5) ? () => random.integer(-1, 1) : () => random.next() - 0.5;
    const way = many(random.integer(4, 60), (): Point => {
      x += step();
      y += step();
      return [x, y];
    });
    return polygon(closed(way));
  },
  sound: (random) =>
    polygon(
      starShaped(random, 0, 0, 10, random.integer(3, 60)),
      ...many(random.integer(0, 3), (n) => starShaped(random, 2 * n - 2, 0, 0.9, random.integer(3, 9))),
    ),
  soundParts: (random) =>
    multi(
      ...many(random.integer(2, 40), (n) => [
        starShaped(random, 3 * (n % 7), 3 * Math.floor(n / 7), 1.4, random.integer(3, 8)),
      ]),
    ),
  country,
  rounded,
  twice: (random) => {
    const ring = random.chance(0.5) ? gridRing(random, 5, 6) : stone(random, 5);
    const other = turned(random, random.chance(0.5) ? ring : [...ring].reverse());
    return random.chance(0.5) ? multi([ring], [other]) : polygon(box(-2, -2, 12, 12), ring, other);
  },
  metres: (random) => {
    const [x, y, step] = [random.integer(1e5, 9e5), random.integer(4e6, 6e6), random.pick([0.1, 0.01, 1 / 3])];
    return polygon(gridRing(random, 5, 9).map(([a, b]): Point => [x + a * step, y + b * step]));
  },
  repeated: (random) => polygon(gridRing(random, 3, 6).flatMap((at) => many(random.integer(1, 2), () => at))),
  spike: (random) => {
    const ring = box(0, 0, 4, 4);
    const tip: Point = [random.integer(-2, 6), random.integer(-2, 6)];
    ring.splice(
      random.integer(1, 4),
      0,
      tip,
      ...(random.chance(0.5) ? [[random.integer(0, 4), random.integer(0, 4)] as Point] : []),
    );
    return polygon(ring);
  },
  flat: (random) =>
    polygon(
      closed(
        many(random.integer(3, 6), () => {
          const n = random.integer(0, 5);
          return [n, 2 * n];
        }),
      ),
    ),
  broken: (random) => {
    const rings = many(random.integer(1, 3), () => gridRing(random, 5, 6));
    const ring = random.pick(rings);
    if (random.chance(0.4)) ring.pop();
    else if (random.chance(0.5)) ring.length = random.integer(1, 3);
    else
      (ring[random.integer(0, ring.length - 1)] as Point)[random.integer(0, 1)] = random.pick([Number.NaN, Infinity]);
    return polygon(...rings);
  },
  triangle: (random) => ({ ...polygon(gridRing(random, 3, 3)), type: 17 }),
  tin: (random) => ({
    type: 16,
    dims: 0,
    parts: many(random.integer(1, 4), () => ({ ...polygon(gridRing(random, 3, 3)), type: 17 })),
  }),
  straightCurves: (random) => {
    const curve = (): GeometryTree => ({
      type: 10,
      dims: 0,
      parts: many(random.integer(1, 2), () => line(gridRing(random, 5, 6))),
    });
    return random.chance(0.5) ? curve() : { type: 12, dims: 0, parts: [curve(), polygon(stone(random, 5))] };
  },
};

const LINES: Record<string, (random: Random) => GeometryTree> = {
  line: (random) => line(many(random.integer(2, 9), () => [random.integer(0, 2), random.integer(0, 1)])),
  lines: (random) => ({
    type: 5,
    dims: 0,
    parts: many(random.integer(1, 3), () => line(many(random.integer(2, 4), () => [random.integer(0, 1), 0]))),
  }),
  points: (random) => ({
    type: 4,
    dims: 0,
    parts: many(random.integer(0, 4), () => ({
      type: 1,
      dims: 0,
      coords: [random.integer(0, 2), random.integer(0, 2)],
    })),
  }),
};

const SIMPLE = { ...AREAS, ...LINES };
const SIMPLE_NAMES = Object.keys(SIMPLE);

export interface RandomGeometry {
  name: string;
  tree: GeometryTree;
}

/** `count` geometries, as many of each kind; a tenth of them in collections, a fifth with Z, M or both. */
export function randomGeometries(seed: number, count: number): RandomGeometry[] {
  const random = new Random(seed);
  return many(count, (n) => {
    const name = SIMPLE_NAMES[n % SIMPLE_NAMES.length] as string;
    const simple = (SIMPLE[name] as (random: Random) => GeometryTree)(random);
    const tree = random.chance(0.1) ? collection(random, simple) : simple;
    return {
      name: tree === simple ? name : `${name} in a collection`,
      tree: random.chance(0.2) ? raised(random, tree, random.integer(1, 3)) : tree,
    };
  });
}

function collection(random: Random, tree: GeometryTree): GeometryTree {
  const other = (SIMPLE[random.pick(SIMPLE_NAMES)] as (random: Random) => GeometryTree)(random);
  const inner: GeometryTree = { type: 7, dims: 0, parts: random.chance(0.5) ? [tree] : [other, tree] };
  return random.chance(0.5)
    ? inner
    : {
        type: 7,
        dims: 0,
        parts: [
          line([
            [0, 0],
            [1, 1],
          ]),
          inner,
        ],
      };
}

/** With Z, M or both, other at every vertex but the closing one. */
function raised(random: Random, tree: GeometryTree, dims: number): GeometryTree {
  const extra = dims === 3 ? 2 : 1;
  const lift = (flat: readonly number[]) => {
    const lifted: number[] = [];
    for (let i = 0; i < flat.length; i += 2) {
      const is_end = i > 0 && i === flat.length - 2 && flat[0] === flat[i] && flat[1] === flat[i + 1];
      const above = is_end ? lifted.slice(2, 2 + extra) : many(extra, () => random.integer(0, 9));
      lifted.push(flat[i] as number, flat[i + 1] as number, ...above);
    }
    return lifted;
  };
  return {
    type: tree.type,
    dims,
    ...(tree.coords && { coords: lift(tree.coords) }),
    ...(tree.rings && { rings: tree.rings.map(lift) }),
    ...(tree.parts && { parts: tree.parts.map((part) => raised(random, part, dims)) }),
  };
}
