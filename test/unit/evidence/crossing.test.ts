import { describe, expect, it } from 'vitest';
import { markPlace } from '@/components/evidence/draw-marks';
import { faultEdges } from '@/components/evidence/fault-edges.model';
import { faultPlaces } from '@/components/evidence/fault-place.model';
import { fitView } from '@/components/evidence/view.model';
import type { Fault } from '@/lib/contract/entry';
import { Bytes, sceneOf } from './hex-geometries';

const ring = [
  [0, 0],
  [2, 2],
  [2, 0],
  [0, 2],
  [0, 0],
];
const scene = sceneOf(new Bytes().polygon([ring]));
const fault = (part: Partial<Fault>): Fault => ({
  code: 'self_intersection',
  path: [0, 0],
  at: [1, 1],
  message: '',
  severity: 'fails',
  ...part,
});
const size = { width: 260, height: 184 };

describe('a crossing', () => {
  it('has the two edges that cross, whichever of them the path leads to', () => {
    const [place] = faultPlaces(scene, [fault({})]);
    expect(place?.where).toBe('ring 0, edges 0 × 2');
    expect(faultEdges(scene, place)).toEqual([
      [0, 0, 2, 2],
      [2, 0, 0, 2],
    ]);
  });

  it('has none where another fault lies, or where nothing meets', () => {
    expect(faultEdges(scene, faultPlaces(scene, [fault({ code: 'spike' })])[0])).toEqual([]);
    expect(faultEdges(scene, faultPlaces(scene, [fault({ at: [1.5, 0.2] })])[0])).toEqual([]);
    expect(faultEdges(null, undefined)).toEqual([]);
  });

  it('shows a cross at the place itself while it is the current one, the number beside it', () => {
    const view = fitView([0, 0, 2, 2], size, 18);
    const places = faultPlaces(scene, [fault({})]);
    const current_edges = faultEdges(scene, places[0]);
    const current = markPlace({ view, size, places, current_fault: 0, current_edges }, 0);
    expect(current?.cross).toEqual({ x: 130, y: 92 });
    expect(Math.hypot(current!.x - 130, current!.y - 92)).toBeCloseTo(15, 9);
    expect(markPlace({ view, size, places, current_fault: null, current_edges: [] }, 0)).toEqual({
      x: 130,
      y: 92,
      cross: null,
    });
    expect(
      markPlace(
        { view, size, places: faultPlaces(scene, [fault({ path: null, at: null })]), current_fault: 0, current_edges },
        0,
      ),
    ).toBeNull();
  });

  it('names both vertices of a repeated point', () => {
    const twice = sceneOf(
      new Bytes().line([
        [0, 0],
        [5, 5],
        [5, 5],
        [9, 0],
      ]),
    );
    expect(faultPlaces(twice, [fault({ code: 'repeated_point', path: [2], at: [5, 5] })])[0]?.where).toBe(
      'vertices 1 and 2',
    );
  });
});
