import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { evenOddTrapezoids } from '@/components/map/even-odd';
import {
  areaFeatures,
  candidateFeatures,
  evidenceLanding,
  faultFeatures,
  showsFaults,
} from '@/components/map/evidence-features';
import { evidenceSentence } from '@/components/map/evidence-sentence';
import { evidenceShape } from '@/components/map/evidence-shape';
import { type EvidenceInput, evidenceView } from '@/components/map/evidence-view';
import type { Evidence } from '@/lib/contract/entry';
import { hexFromBytes } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';

/** Little-endian WKB of a polygon, ring by ring as given. */
function polygonWkb(rings: Position[][]): Uint8Array {
  const size = 9 + rings.reduce((sum, ring) => sum + 4 + ring.length * 16, 0);
  const view = new DataView(new ArrayBuffer(size));
  view.setUint8(0, 1);
  view.setUint32(1, 3, true);
  view.setUint32(5, rings.length, true);
  let at = 9;
  for (const ring of rings) {
    view.setUint32(at, ring.length, true);
    at += 4;
    for (const [x, y] of ring) {
      view.setFloat64(at, x!, true);
      view.setFloat64(at + 8, y!, true);
      at += 16;
    }
  }
  return new Uint8Array(view.buffer);
}
const shapeOf = (ring: Position[], sound = true) => evidenceShape(readWkb(polygonWkb([ring])), 'oom', sound);
const of = (shape: ReturnType<typeof shapeOf>, kind: string) =>
  shape.features.features.filter((each) => each.properties?.kind === kind).map((each) => each.geometry);
const area = (rings: Position[][]) =>
  rings.reduce(
    (sum, ring) =>
      sum + Math.abs(ring.reduce((s, [x, y], i) => (i ? s + ring[i - 1]![0]! * y! - x! * ring[i - 1]![1]! : s), 0)) / 2,
    0,
  );

const bowtie: Position[] = [
  [0, 0],
  [2, 2],
  [2, 0],
  [0, 2],
  [0, 0],
];

describe('the shape', () => {
  it('draws the rings of a bow-tie without net area as a line, and fills both lobes', () => {
    const shape = shapeOf(bowtie, false);
    expect(of(shape, 'line')).toEqual([{ type: 'LineString', coordinates: bowtie }]);
    const [fill] = of(shape, 'fill') as { coordinates: Position[][][] }[];
    expect(area(fill!.coordinates.flat())).toBeCloseTo(2, 9);
  });

  it('is continuous across 180°', () => {
    const shape = shapeOf([
      [178, -18],
      [-178, -18],
      [-178, -15],
      [178, -15],
      [178, -18],
    ]);
    expect(shape.bounds).toEqual([178, -18, 182, -15]);
    expect(shape.encloses_pole).toBeNull();
  });

  it('closes a ring round the pole over it, and says so', () => {
    const ring: Position[] = [
      [-180, 80],
      [-90, 81],
      [0, 80],
      [90, 81],
      [-180, 80],
    ];
    const shape = shapeOf(ring);
    expect(shape.encloses_pole).toBe('north');
    const [fill] = of(shape, 'fill') as { coordinates: Position[][] }[];
    expect(fill!.coordinates[0]!.slice(-3)).toEqual([
      [180, 90],
      [-180, 90],
      [-180, 80],
    ]);
    expect(of(shape, 'line')).toEqual([{ type: 'LineString', coordinates: [...ring.slice(0, 4), [180, 80]] }]);
  });

  it('keeps an unclosed ring open and leaves out what is not finite', () => {
    const shape = shapeOf([
      [0, 0],
      [1, 0],
      [Number.NaN, 5],
      [1, 1],
      [0, 1],
    ]);
    expect(of(shape, 'line')).toEqual([
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ],
      },
    ]);
    expect(shapeOf([[Number.POSITIVE_INFINITY, 1]]).bounds).toBeNull();
  });
});

describe('even-odd filling', () => {
  it('covers what is inside, holes left out, in whatever order the rings come', () => {
    const square = (a: number, b: number): Position[] => [
      [a, a],
      [b, a],
      [b, b],
      [a, b],
      [a, a],
    ];
    expect(area(evenOddTrapezoids([square(0, 4), square(1, 2)]))).toBeCloseTo(15, 9);
    expect(area(evenOddTrapezoids([square(1, 2), square(0, 4)]))).toBeCloseTo(15, 9);
    expect(area(evenOddTrapezoids([square(0, 2), square(3, 4)]))).toBeCloseTo(5, 9);
    expect(evenOddTrapezoids([])).toEqual([]);
  });
});

/** A source in units of its own, ten of which are a degree; `reprojected` lies at lon 179.5 and on. */
const source: Position[] = bowtie.map(([x, y]) => [x! * 10, y! * 10]);
const reprojected: Position[] = bowtie.map(([x, y]) => [x! + 179.5 > 180 ? x! + 179.5 - 360 : x! + 179.5, y!]);
const evidence: Evidence = {
  id: '1',
  geom_wkb: hexFromBytes(polygonWkb([source])),
  valid: false,
  mappable: true,
  unmappable_reason: null,
  faults: [],
  crs_verdict: 'wrong_unit',
  crs_reason: null,
  candidates: [
    { crs: 'EPSG:1', name: 'A', swapped: false, place: [-179.9, 1], score: 9, reason: '', equivalents: [] },
    { crs: 'EPSG:2', name: 'B', swapped: false, place: [40, 1], score: 2, reason: '', equivalents: [] },
  ],
  suggestion: 'EPSG:1',
  also: [],
  claim: null,
  area_of_use_source: null,
  cursor_link: null,
  cursor_link_reason: null,
  geom_bytes_at: null,
  reprojected_at: null,
  area_of_use: null,
  reprojected_wkb: hexFromBytes(polygonWkb([reprojected])),
  reproject_error: null,
  diagnosed_at: null,
};
const input: EvidenceInput = {
  evidence,
  reading: readWkb(polygonWkb([reprojected])),
  source: readWkb(polygonWkb([source])),
  failure_class: 'crs_mismatch',
  tile: { z: 4, x: 0, y: 7 },
  faults: [
    { code: 'self_intersection', path: [0, 1], at: [10, 10], message: '', severity: 'fails' },
    { code: 'non_finite_vertex', path: null, at: null, message: '', severity: 'fails' },
    { code: 'spike', path: [0, 2], at: [20, 0], message: '', severity: 'note' },
  ],
  current_fault: 2,
  area_of_use: [170, -10, -170, 10],
};

describe('the pane', () => {
  const view = evidenceView(input);

  it('carries faults from source units to their place beside the shape', () => {
    expect(view.places.map((place) => place?.map((value) => Number(value.toFixed(6))) ?? null)).toEqual([
      [180.5, 1],
      null,
      [181.5, 0],
    ]);
    expect(faultFeatures(view, input.faults, 2).features.map((each) => each.properties)).toEqual([
      { number: 1, severity: 'fails', current: false },
      { number: 3, severity: 'note', current: true },
    ]);
  });

  it('draws everything on the shape’s turn of the world', () => {
    expect(view.close_up).toEqual([179.5, 0, 181.5, 2]);
    expect(candidateFeatures(evidence, view.landing).features.map((each) => each.geometry)).toEqual([
      { type: 'Point', coordinates: [180.1, 1] },
      { type: 'Point', coordinates: [40, 1] },
    ]);
    const [box] = areaFeatures(input.area_of_use, view.landing).features;
    expect(box?.geometry).toMatchObject({
      coordinates: [
        expect.arrayContaining([
          [170, -10],
          [190, 10],
        ]),
      ],
    });
    expect(view.overview![0]).toBeCloseTo(170, 9);
    expect(view.overview![2]).toBeCloseTo(202.5, 9);
  });

  it('draws no edge of an area of use that goes round the world', () => {
    expect(areaFeatures([-180, -90, 180, 90], view.landing).features).toEqual([]);
    expect(areaFeatures([-180, -85, 178, 85], view.landing).features.length).toBe(1);
  });

  it('fills only a candidate that the database suggests', () => {
    const leads = (given: Evidence) => candidateFeatures(given, null).features.map((each) => each.properties?.leads);
    expect(leads(evidence)).toEqual([true, false]);
    expect(leads({ ...evidence, suggestion: null })).toEqual([false, false]);
  });

  it('marks the landing only where the shape is too small to be seen', () => {
    const has = (given: EvidenceInput, close: boolean) =>
      evidenceLanding(evidenceView(given), given, close).features.some((each) => each.properties?.kind === 'landing');
    expect(has({ ...input, tile: { z: 8, x: 150, y: 85 } }, false)).toBe(true);
    expect(has(input, true)).toBe(false);
    const wide = readWkb(
      polygonWkb([
        [
          [10, 10],
          [15, 10],
          [15, 15],
          [10, 10],
        ],
      ]),
    );
    const alone = { ...input, evidence: { ...evidence, candidates: [] }, tile: null, area_of_use: null };
    expect(has({ ...alone, reading: wide }, false)).toBe(false);
  });

  it('numbers faults in an overview that shows the shape itself, else close up alone', () => {
    const square = (side: number) => {
      const ring = [
        [10, 10],
        [10 + side, 10],
        [10 + side, 10 + side],
        [10, 10],
      ];
      const alone = { ...evidence, candidates: [] };
      return evidenceView({
        ...input,
        evidence: alone,
        tile: null,
        area_of_use: null,
        reading: readWkb(polygonWkb([ring])),
      });
    };
    expect([showsFaults(square(5), false), showsFaults(square(5), true)]).toEqual([true, true]);
    // of the six degrees that an overview shows at least
    expect([showsFaults(square(2), false), showsFaults(square(2), true)]).toEqual([false, true]);
    const far = evidenceView({ ...input, tile: { z: 8, x: 150, y: 85 } });
    expect([showsFaults(far, false), showsFaults(far, true)]).toEqual([false, true]);
  });

  it('shows some degrees of ground around what is small, and none beyond a pole', () => {
    const none = { ...input, reading: null, tile: null, area_of_use: null };
    const [first] = evidence.candidates;
    const at = (place: [number, number]) =>
      evidenceView({ ...none, evidence: { ...evidence, candidates: [{ ...first!, place }] } }).overview;
    expect(at([10, 50])).toEqual([7, 47, 13, 53]);
    expect(at([10, 89])).toEqual([7, 86, 13, 90]);
  });

  it('is one sentence for those who do not see it', () => {
    expect(evidenceSentence(view, input)).toBe(
      'Polygon of 5 vertices lands at 1.00° north, 179.50° west, inside its tile 4/0/7, with 3 faults, 2 of them drawn, and 2 candidate places.',
    );
    expect(evidenceSentence(view, { ...input, tile: { z: 8, x: 150, y: 85 } })).toMatch(
      /km [a-z-]+ of its tile 8\/150\/85/,
    );
  });

  it('says why nothing can be drawn', () => {
    const none = {
      ...input,
      reading: null,
      evidence: {
        ...evidence,
        candidates: [],
        mappable: false,
        unmappable_reason: 'non_finite',
        reprojected_wkb: null,
      },
    };
    const empty = evidenceView(none);
    expect([empty.landing, empty.close_up]).toEqual([null, null]);
    expect(evidenceSentence(empty, none)).toBe(
      'Not on the map: The vertices are not finite numbers: they lie at infinity or nowhere; its tile is drawn.',
    );
    expect(evidenceSentence(empty, { ...none, tile: null })).toMatch(/at infinity or nowhere\.$/);
    for (const bytes of [[], [1], [1, 1, 0, 0, 0]])
      expect(evidenceView({ ...input, reading: readWkb(Uint8Array.from(bytes)) }).landing).toBeNull();
  });

  it('shows where candidates lie of what has no place itself, and says so', () => {
    const none = {
      ...input,
      reading: null,
      tile: null,
      area_of_use: null,
      evidence: { ...evidence, unmappable_reason: 'no_crs' },
    };
    const view = evidenceView(none);
    expect(view.overview).toEqual([-182.9, -2, -176.9, 4]);
    const [first, second] = evidence.candidates;
    const near = { ...none.evidence, candidates: [first!, { ...second!, place: [-165, 3] as [number, number] }] };
    expect(evidenceView({ ...none, evidence: near }).overview).toEqual([-179.9, -1, -165, 5]);
    expect(evidenceSentence(view, none)).toMatch(/^Not on the map: .*; 2 candidate places are drawn\.$/);
  });
});
