import { describe, expect, it } from 'vitest';
import { nearestOnRing, type Ring, ringHolds, ringIsSeen } from '@/components/evidence/area-ring.model';
import { sourceGhost } from '@/components/evidence/ghost.model';
import { paneHints } from '@/components/evidence/pane-hint.model';
import { rereadWords, toldReread } from '@/components/evidence/reread.model';
import { readAsText, sourceDistanceText, unitsText } from '@/components/evidence/unit-words.model';
import { fitView } from '@/components/evidence/view.model';
import type { Evidence } from '@/lib/contract/entry';
import { Bytes, sceneOf, square } from './hex-geometries';

const size = { width: 260, height: 184 };
/** Ohio's area of use in metres, some 1,400 km west of what is drawn. */
const ohio: Ring = [
  [400_000, 45_000],
  [780_000, 45_000],
  [780_000, 300_000],
  [400_000, 300_000],
];
const parcel = sceneOf(new Bytes().polygon([square(2_184_500, 645_900, 100)]));
const metres = { unit: 'metre' };

describe('the area of use in the source pane', () => {
  it('is inside, seen, or pointed at', () => {
    expect(ringHolds(ohio, 500_000, 100_000)).toBe(true);
    expect(ringHolds(ohio, 900_000, 100_000)).toBe(false);
    expect(nearestOnRing(ohio, 2_184_550, 645_950)).toEqual([780_000, 300_000]);
    expect(ringIsSeen(ohio, fitView([0, 0, 1e6, 1e6], size, 0), size)).toBe(true);
    expect(ringIsSeen(ohio, fitView([500_000, 100_000, 500_100, 100_100], size, 0), size)).toBe(true);
    expect(ringIsSeen(ohio, fitView(parcel.bbox!, size, 18), size)).toBe(false);
  });

  it('has an arrow with the distance in the unit that the claim names', () => {
    const view = fitView(parcel.bbox!, size, 18);
    const area_distance = sourceDistanceText(metres, [2_184_550, 645_950], [780_000, 300_000]);
    expect(area_distance).toBe('1,447 km');
    const [hint, ...others] = paneHints({ area_of_use: ohio, area_distance, ghost: null }, view, size);
    expect(others).toEqual([]);
    expect(hint).toMatchObject({
      about: 'area',
      text: 'area of use, 1,447 km',
      turn: 165,
      box: [400_000, 45_000, 780_000, 300_000],
    });
    expect(hint?.title).toContain('to the west');
    expect(
      paneHints({ area_of_use: ohio, area_distance, ghost: null }, fitView([0, 0, 3e6, 3e6], size, 0), size),
    ).toEqual([]);
  });

  it('has no distance where the numbers mean none', () => {
    expect(sourceDistanceText({ unit: 'degree' }, [2_184_550, 645_950], [180, 90])).toBeNull();
    expect(sourceDistanceText({ unit: 'degree' }, [-81.7, 41.4], [-81.7, 42.4])).toBe('111 km');
    expect(sourceDistanceText({ unit: 'US survey foot' }, [0, 0], [3937, 0])).toBe('1.2 km');
    expect(sourceDistanceText({ unit: 'parsec' }, [0, 0], [1, 0])).toBeNull();
    expect(sourceDistanceText(null, [0, 0], [1, 0])).toBeNull();
    expect(sourceDistanceText(metres, [0, 0], [1e9, 0])).toBeNull();
  });
});

describe('how the numbers are read', () => {
  it('is said in the plural of the unit, else as the claim has it', () => {
    expect(['metre', 'US survey foot', 'degree', "Clarke's foot", '50 kilometres', 'foot'].map(unitsText)).toEqual([
      'metres',
      'US survey feet',
      'degrees',
      "Clarke's feet",
      '50 kilometres',
      'feet',
    ]);
    expect(unitsText('British yard (Sears 1922)')).toBe('British yards (Sears 1922)');
    expect(readAsText({ unit: 'metre' }, 'EPSG:32122')).toBe('read as metres');
    expect(readAsText(null, 'EPSG:999999')).toBe('claims EPSG:999999');
    expect(readAsText(null, null)).toBe('no CRS claimed');
  });
});

describe('the ghost', () => {
  const scene = sceneOf(
    new Bytes().line([
      [41.4, -81.7],
      [Number.NaN, 0],
      [41.6, -81.6],
    ]),
  );

  it('has the same numbers swapped first and signed then, without what is not finite', () => {
    const ghost = sourceGhost(scene, { swapped: true, x_sign: -1, y_sign: 1 });
    expect(ghost?.runs.map((run) => [...run])).toEqual([[81.7, 41.4, 81.6, 41.6]]);
    expect(ghost?.box).toEqual([81.6, 41.4, 81.7, 41.6]);
    expect(ghost?.label).toBe('y,x swapped, sign of x put back');
    expect(sourceGhost(scene, { swapped: false, x_sign: 1, y_sign: 1 })).toBeNull();
  });

  it('is pointed at while it is out of the pane', () => {
    const ghost = sourceGhost(scene, { swapped: true, x_sign: 1, y_sign: 1 });
    const hint = { area_of_use: null, area_distance: null, ghost };
    expect(paneHints(hint, fitView(scene.bbox!, size, 18), size)).toMatchObject([
      { about: 'ghost', text: 'y,x swapped' },
    ]);
    expect(paneHints(hint, fitView([-90, -90, 90, 90], size, 18), size)).toEqual([]);
  });

  it('stays cheap to draw, whatever the size of the geometry, and never loses the last vertex', () => {
    const many = sceneOf(new Bytes().line(Array.from({ length: 50_000 }, (_, i) => [i, 1])));
    const [run] = sourceGhost(many, { swapped: true, x_sign: 1, y_sign: 1 })!.runs;
    expect(run!.length).toBeLessThan(1300);
    expect([...run!.slice(-2)]).toEqual([1, 49_999]);
  });

  it('is told of by the verdict or by the candidate that leads', () => {
    const evidence = { crs_verdict: 'agrees', also: [], candidates: [], suggestion: null } as unknown as Evidence;
    expect(toldReread(evidence)).toBeNull();
    expect(toldReread({ ...evidence, also: ['axis_swapped'] })?.swapped).toBe(true);
    const leading = { crs: 'EPSG:4326', swapped: false, x_sign: -1, y_sign: 1 } as Evidence['candidates'][number];
    const told = toldReread({ ...evidence, candidates: [leading], suggestion: 'EPSG:4326' });
    expect(told && rereadWords(told)).toBe('sign of x put back');
  });
});
