import { describe, expect, it } from 'vitest';
import type { FaultOptions, FoundFault } from '@/lib/faults/fault-report';
import { findFaults } from '@/lib/faults/find-faults';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';
import { readWkb } from '@/lib/wkb/read-wkb';
import { writeEwkb } from '@/lib/wkb/write-ewkb';
import { BOW_TIE, INSCRIBED, NOTCHED, PINCHED, SQUARE } from './hand-made';
import { box, line, multi, polygon, type Ring } from './random-geometries';

const reportOf = (tree: GeometryTree, options?: FaultOptions) => findFaults(readWkb(writeEwkb(tree)), options);
const faultsOf = (tree: GeometryTree, options?: FaultOptions): FoundFault[] => reportOf(tree, options).faults;
const only = (faults: FoundFault[], code: string) => faults.filter((fault) => fault.code === code);

describe('a ring', () => {
  it('that crosses itself is told with the place, the first edge and both edges', () => {
    expect(faultsOf(polygon(BOW_TIE))).toEqual([
      {
        code: 'self_intersection',
        path: [0, 0],
        at: [2, 2],
        message: 'edges 0 and 2 of ring 0 cross',
        severity: 'fails',
      },
    ]);
  });

  it('that crosses itself at many places is told at each of them', () => {
    const zigzag: Ring = [
      [0, 0],
      [9, 0],
      [9, 4],
      [1, 4],
      [1, -1],
      [3, -1],
      [3, 5],
      [5, 5],
      [5, -1],
      [7, -1],
      [7, 6],
      [0, 6],
      [0, 0],
    ];
    expect(faultsOf(polygon(zigzag)).map(({ path, at }) => [path?.[1], at])).toEqual([
      [0, [1, 0]],
      [0, [3, 0]],
      [0, [5, 0]],
      [0, [7, 0]],
      [2, [3, 4]],
      [2, [5, 4]],
      [2, [7, 4]],
    ]);
  });

  it('that meets itself in a vertex is told once, with both vertices', () => {
    expect(faultsOf(polygon(PINCHED))).toEqual([
      {
        code: 'ring_self_touch',
        path: [0, 1],
        at: [4, 4],
        message: 'ring 0 touches itself: vertex 1 and vertex 4',
        severity: 'fails',
      },
    ]);
  });

  it('that passes five times through one place is told once', () => {
    const flower: Ring = Array.from(
      { length: 5 },
      (_, n): Ring => [
        [0, 0],
        [10, 3 * n],
        [10, 3 * n + 1],
      ],
    ).flat();
    expect(only(faultsOf(polygon([...flower, [0, 0]])), 'ring_self_touch')).toHaveLength(1);
  });

  it('whose edges lie on each other is told from one end of the stretch to the other', () => {
    const ring: Ring = [
      [0, 0],
      [8, 0],
      [8, 4],
      [6, 0],
      [3, 0],
      [0, 4],
      [0, 0],
    ];
    expect(only(faultsOf(polygon(ring)), 'self_intersection')).toMatchObject([
      { path: [0, 0], at: [3, 0], to: [6, 0], message: 'edges 0 and 3 of ring 0 lie on each other' },
    ]);
  });

  it('that turns back on itself exactly has a spike that fails, and a thin one has a note with its angle', () => {
    const flat: Ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
      [0, 9],
      [0, 0],
    ];
    expect(only(faultsOf(polygon(flat)), 'spike')).toMatchObject([
      { path: [0, 4], at: [0, 9], to: [0, 4], severity: 'fails' },
    ]);
    const thin: Ring = [
      [0, 0],
      [4, 0],
      [4, 4],
      [2.02, 4],
      [2, 9],
      [1.98, 4],
      [0, 4],
      [0, 0],
    ];
    expect(faultsOf(polygon(thin))).toMatchObject([
      { code: 'spike', path: [0, 4], at: [2, 9], severity: 'note', message: 'a spike of 0.46° at vertex 4' },
    ]);
  });

  it('on one line encloses nothing, which is one fault however often it turns', () => {
    expect(
      faultsOf(
        polygon([
          [0, 0],
          [3, 3],
          [1, 1],
          [5, 5],
          [2, 2],
          [0, 0],
        ]),
      ),
    ).toMatchObject([{ code: 'zero_area', path: [0], at: [0, 0], to: [5, 5], severity: 'fails' }]);
  });

  it('with too few different vertices is told so, and nothing else', () => {
    expect(
      faultsOf(
        polygon([
          [0, 0],
          [3, 3],
          [3, 3],
          [0, 0],
        ]),
      ),
    ).toMatchObject([
      { code: 'too_few_points', path: [0], at: [0, 0], severity: 'fails' },
      { code: 'repeated_point', path: [0, 2], at: [3, 3], severity: 'note' },
    ]);
  });

  it('left open is checked as stored: no edge closes it', () => {
    const open = BOW_TIE.slice(0, 4);
    expect(faultsOf(polygon(open)).map(({ code }) => code)).toEqual(['unclosed_ring', 'self_intersection']);
    const wouldCross: Ring = [
      [0, 0],
      [10, 0],
      [10, 5],
      [5, 5],
      [5, -5],
    ];
    expect(only(faultsOf(polygon(wouldCross)), 'self_intersection')).toHaveLength(1);
    expect(only(faultsOf(polygon([...wouldCross, [0, 0]])), 'self_intersection')).toHaveLength(1);
    expect(
      only(
        faultsOf(
          polygon([
            [0, 0],
            [10, 0],
            [10, 10],
            [5, -3],
          ]),
        ),
        'self_intersection',
      ),
    ).toHaveLength(1);
    expect(
      only(
        faultsOf(
          polygon([
            [0, 4],
            [10, 0],
            [10, 10],
            [2, 0],
          ]),
        ),
        'self_intersection',
      ),
    ).toHaveLength(1);
  });

  it('with a lost vertex is checked without the two edges there', () => {
    const ring: Ring = [
      [0, 0],
      [4, 4],
      [Number.NaN, Number.NaN],
      [4, 0],
      [0, 0],
    ];
    expect(faultsOf(polygon(ring)).map(({ code }) => code)).toEqual(['non_finite_vertex']);
    const crossing: Ring = [
      [0, 0],
      [4, 4],
      [0, 4],
      [4, 0],
      [9, Infinity],
      [0, 0],
    ];
    expect(faultsOf(polygon(crossing)).map(({ code, at }) => [code, at])).toEqual([
      ['self_intersection', [2, 2]],
      ['non_finite_vertex', null],
    ]);
  });
});

describe('the rings of a polygon', () => {
  it('that cross are told at both places', () => {
    expect(faultsOf(polygon(SQUARE, box(8, 3, 5, 2)))).toMatchObject([
      { code: 'self_intersection', path: [0, 1], at: [10, 3], message: 'edge 1 of ring 0 and edge 0 of ring 1 cross' },
      { code: 'self_intersection', path: [0, 1], at: [10, 5], message: 'edge 1 of ring 0 and edge 2 of ring 1 cross' },
    ]);
  });

  it('that cross in a vertex of both do cross, and those that only meet there do not', () => {
    const across: Ring = [
      [5, 0],
      [7, -2],
      [3, 4],
      [5, 0],
    ];
    expect(only(faultsOf(polygon(INSCRIBED, across)), 'self_intersection').map(({ at }) => at)).toContainEqual([5, 0]);
    expect(
      faultsOf(
        polygon(INSCRIBED, [
          [5, 0],
          [6, 4],
          [4, 4],
          [5, 0],
        ]),
      ),
    ).toEqual([]);
  });

  it('must have holes inside the shell and outside each other', () => {
    const tree = polygon(SQUARE, box(20, 0, 2, 2), box(1, 1, 6, 6), box(3, 3, 1, 1));
    expect(faultsOf(tree)).toMatchObject([
      { code: 'hole_outside_shell', path: [1], at: [20, 0], message: 'ring 1 lies outside its shell' },
      { code: 'nested_holes', path: [3], at: [3, 3], message: 'ring 3 lies inside another hole, ring 2' },
    ]);
  });

  it('that touch where a corner points inwards are on the side to which their edge leads', () => {
    expect(
      faultsOf(
        polygon(NOTCHED, [
          [5, 3],
          [6, 1],
          [4, 1],
          [5, 3],
        ]),
      ),
    ).toEqual([]);
    expect(
      faultsOf(
        polygon([...NOTCHED].reverse(), [
          [5, 3],
          [6, 1],
          [4, 1],
          [5, 3],
        ]),
      ),
    ).toEqual([]);
    expect(
      faultsOf(
        polygon(NOTCHED, [
          [5, 3],
          [6, 8],
          [4, 8],
          [5, 3],
        ]),
      ).map(({ code }) => code),
    ).toEqual(['hole_outside_shell']);
  });

  it('that touch in a circle let the interior fall apart at each of the places', () => {
    const places = only(faultsOf(polygon(SQUARE, INSCRIBED)), 'interior_disconnected').map(({ at }) => at);
    expect(places).toEqual([
      [5, 0],
      [10, 5],
      [5, 10],
      [0, 5],
    ]);
  });

  it('that are one and the same are one fault', () => {
    const turned: Ring = [
      [10, 10],
      [10, 0],
      [0, 0],
      [0, 10],
      [10, 10],
    ];
    expect(faultsOf(polygon(SQUARE, turned, SQUARE))).toMatchObject([
      { code: 'duplicate_rings', path: [1], message: 'ring 1 is the same as ring 0' },
      { code: 'duplicate_rings', path: [2], message: 'ring 2 is the same as ring 0' },
    ]);
  });

  it('are searched through an index where there are many, with the same answers', () => {
    const holes = Array.from({ length: 900 }, (_, n) => box(3 * (n % 30) + 1, 3 * Math.floor(n / 30) + 1, 1, 1));
    expect(faultsOf(polygon(box(0, 0, 100, 100), ...holes))).toEqual([]);
    const wrong = [...holes, box(200, 0, 1, 1), box(46.25, 46.25, 0.5, 0.5)];
    expect(faultsOf(polygon(box(0, 0, 100, 100), ...wrong)).map(({ code, path }) => [code, path])).toEqual([
      ['hole_outside_shell', [901]],
      ['nested_holes', [902]],
    ]);
  });
});

describe('the parts of a multipolygon', () => {
  it('that overlap or share a side are told apart from rings of one polygon', () => {
    expect(faultsOf(multi([SQUARE], [box(5, 5, 10, 10)])).map(({ code, path, at }) => [code, path, at])).toEqual([
      ['overlapping_parts', [0, 0, 1], [10, 5]],
      ['overlapping_parts', [0, 0, 2], [5, 10]],
    ]);
    expect(faultsOf(multi([SQUARE], [box(10, 2, 5, 5)]))).toMatchObject([
      {
        code: 'overlapping_parts',
        at: [10, 2],
        to: [10, 7],
        message: 'edge 1 of ring 0 of part 0 and edge 3 of ring 0 of part 1 lie on each other',
      },
    ]);
  });

  it('must not lie inside each other, but may in a hole', () => {
    expect(faultsOf(multi([box(3, 3, 1, 1)], [SQUARE]))).toMatchObject([
      { code: 'nested_shells', path: [0, 0], at: [3, 3], message: 'part 0 lies inside part 1' },
    ]);
    expect(faultsOf(multi([box(3, 3, 1, 1)], [SQUARE, box(2, 2, 4, 4)]))).toEqual([]);
  });

  it('of a collection are each on their own', () => {
    const tree: GeometryTree = { type: 7, dims: 0, parts: [polygon(SQUARE), multi([SQUARE], [BOW_TIE])] };
    expect(faultsOf(tree).find(({ code }) => code === 'self_intersection')?.path).toEqual([1, 1, 0, 0]);
    expect(faultsOf({ ...tree, parts: [polygon(SQUARE), polygon(SQUARE)] })).toEqual([]);
  });
});

describe('lines, surfaces and curves', () => {
  it('have a fault in a line without length, and only notes on one that turns back', () => {
    expect(
      faultsOf(
        line([
          [1, 2],
          [1, 2],
        ]),
      ),
    ).toMatchObject([{ code: 'zero_length', path: [], at: [1, 2], severity: 'fails' }, { code: 'repeated_point' }]);
    expect(
      faultsOf(
        line([
          [0, 0],
          [4, 0],
          [1, 0],
        ]),
      ),
    ).toMatchObject([{ code: 'spike', path: [1], severity: 'note' }]);
    expect(faultsOf(line(BOW_TIE))).toEqual([]);
  });

  it('are told about repeated vertices only where Z and M repeat too', () => {
    const at = (z: number): GeometryTree => ({ type: 2, dims: 1, coords: [0, 0, 1, 0, 0, z, 5, 5, 1] });
    expect(faultsOf(at(1)).map(({ code }) => code)).toEqual(['repeated_point']);
    expect(faultsOf(at(2))).toEqual([]);
  });

  it('judge each triangle by itself, patches of a flat surface with notes, and walls in space not at all', () => {
    const bow = polygon(BOW_TIE);
    expect(
      faultsOf({
        type: 16,
        dims: 0,
        parts: [
          {
            ...polygon([
              [0, 0],
              [2, 0],
              [1, 0],
              [0, 0],
            ]),
            type: 17,
          },
        ],
      }),
    ).toMatchObject([{ code: 'zero_area', path: [0, 0], severity: 'fails' }]);
    expect(faultsOf({ type: 15, dims: 0, parts: [bow] })).toMatchObject([
      { code: 'self_intersection', severity: 'note' },
    ]);
    const wall: GeometryTree = { type: 3, dims: 1, rings: [[0, 0, 0, 4, 0, 0, 4, 0, 3, 0, 0, 3, 0, 0, 0]] };
    expect(faultsOf({ type: 15, dims: 1, parts: [wall] })).toEqual([]);
  });

  it('check the straight rings of a curve polygon and say of arcs that they are curves', () => {
    expect(faultsOf({ type: 10, dims: 0, parts: [line(BOW_TIE)] }).map(({ code }) => code)).toEqual([
      'self_intersection',
      'curve',
    ]);
    const arc: GeometryTree = { type: 8, dims: 0, coords: [0, 0, 2, 2, 4, 0, 2, -2, 0, 0] };
    expect(faultsOf({ type: 10, dims: 0, parts: [arc, line(BOW_TIE)] }).map(({ code }) => code)).toEqual(['curve']);
  });
});

describe('degrees', () => {
  it('beyond the globe are notes, and only where x and y are degrees', () => {
    const tree = line([
      [179, 89],
      [181, 0],
      [0, -91],
      [180 + 1e-7, 90 + 1e-7],
    ]);
    expect(faultsOf(tree)).toEqual([]);
    expect(faultsOf(tree, { geographic: true })).toMatchObject([
      {
        code: 'out_of_range_vertex',
        path: [1],
        at: [181, 0],
        severity: 'note',
        message: 'the longitude 181 is beyond 180°, as where longitudes run from 0° to 360°',
      },
      { code: 'out_of_range_vertex', path: [2], at: [0, -91], message: 'the latitude -91 is beyond 90°' },
    ]);
  });
});

describe('the report', () => {
  it('lists what fails before the notes, each by its path, with the findings of the reader', () => {
    const tree = multi(
      [
        [
          [0, 0],
          [0, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
      ],
      [BOW_TIE.map(([x, y]) => [x + 20, y])],
      [SQUARE.slice(0, 4).map(([x, y]) => [x + 50, y])],
    );
    expect(faultsOf(tree).map(({ code, path }) => [code, path])).toEqual([
      ['self_intersection', [1, 0, 0]],
      ['unclosed_ring', [2, 0]],
      ['repeated_point', [0, 0, 1]],
    ]);
  });

  it('lists so many of each code and counts all', () => {
    const ring: Ring = Array.from({ length: 301 }, (_, n): [number, number] => [n, n % 2 === 0 ? -1 : 1]);
    const tree = polygon([...ring, [300, 0], [0, 0], [0, -1]]);
    const { faults, counts, capped } = reportOf(tree, { max_listed: 7 });
    expect(counts.self_intersection).toBeGreaterThan(290);
    expect(only(faults, 'self_intersection')).toHaveLength(7);
    expect(faults.at(-1)).toMatchObject({
      code: 'capped',
      message: `7 of ${counts.self_intersection} self_intersection are listed`,
    });
    expect(capped).toBe(true);
    expect(reportOf(tree, { max_listed: 1000 }).capped).toBe(false);
  });

  it('says at which bound it stopped and what was not looked at', () => {
    const count = 4001;
    const star: Ring = Array.from({ length: count + 1 }, (_, n) => {
      const angle = (2 * Math.PI * ((n % count) * 2000)) / count;
      return [Math.cos(angle), Math.sin(angle)];
    });
    const { faults, counts, capped } = reportOf(
      { type: 7, dims: 0, parts: [polygon(star), polygon(BOW_TIE)] },
      { max_work: 1_000_000 },
    );
    expect(capped).toBe(true);
    expect(counts.self_intersection).toBeGreaterThan(1000);
    const messages = only(faults, 'capped').map(({ message }) => message);
    expect(messages.join('; ')).toMatch(/stopped after 1000000 comparisons: the first \d+ of 4002 edges/);
    expect(messages).toContain('stopped after 1000000 comparisons: the edges of 1 polygons were not compared at all');
  });
});
