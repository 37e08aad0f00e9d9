import { describe, expect, it } from 'vitest';
import { clipRing, clipSegment } from '@/components/evidence/clip.model';
import { faultPlaces } from '@/components/evidence/fault-place.model';
import { nearestVertex } from '@/components/evidence/nearest.model';
import { sourceSentence } from '@/components/evidence/source-sentence.model';
import type { Fault } from '@/lib/contract/entry';
import { Bytes, sceneOf, square } from './hex-geometries';

const fault = (code: string, path: number[] | null, at: [number, number] | null): Fault => ({
  code,
  path,
  at,
  message: code,
  severity: 'fails',
});
const bowTie = sceneOf(
  new Bytes().polygon([
    [
      [-81.7, 41.4],
      [-81.6, 41.5],
      [-81.6, 41.4],
      [-81.7, 41.5],
      [-81.7, 41.4],
    ],
  ]),
);

describe('where a fault lies', () => {
  it('names the two edges that cross at the place the database found', () => {
    expect(faultPlaces(bowTie, [fault('self_intersection', null, [-81.65, 41.45])])[0]).toMatchObject({
      where: 'ring 0, edges 0 × 2',
      vertex: 0,
    });
  });

  it('names the vertex, and the first of the two that close a ring', () => {
    const scene = sceneOf(new Bytes().polygon([square(0, 0, 10), square(20, 0, 5)]));
    expect(faultPlaces(scene, [fault('hole_outside_shell', null, [20, 0])])[0]).toMatchObject({
      where: 'ring 1, vertex 0',
      stroke: 1,
    });
  });

  it('takes the path where the reader gave one, and has no place for what is not finite', () => {
    const scene = sceneOf(
      new Bytes().line([
        [0, 0],
        [Number.NaN, 1],
        [2, 2],
      ]),
    );
    expect(faultPlaces(scene, [fault('non_finite_vertex', [1], null)])[0]).toMatchObject({
      where: 'vertex 1',
      at: null,
      vertex: 1,
    });
  });

  it('is as good as the diagnosis alone without a geometry', () => {
    expect(faultPlaces(null, [fault('spike', [0, 10], [1, 2])])[0]).toMatchObject({ where: '0 / 10', at: [1, 2] });
  });
});

describe('the nearest vertex', () => {
  it('is the one within reach, or none', () => {
    expect(nearestVertex(bowTie, -81.61, 41.49, 0.05)).toBe(1);
    expect(nearestVertex(bowTie, -81.65, 41.45, 0.01)).toBeNull();
  });
});

describe('the sentence of the source pane', () => {
  it('says type, vertices, rings and faults by compass', () => {
    const text = sourceSentence(bowTie, faultPlaces(bowTie, [fault('self_intersection', null, [-81.65, 41.45])]));
    expect(text).toMatch(/^Polygon of 5 vertices in 1 ring, about 0\.1/);
    expect(text).toContain('1 fault: self intersection in the middle.');
  });
});

describe('clipping', () => {
  const box = { x0: 0, y0: 0, x1: 10, y1: 10 };
  it('cuts a segment to the box and leaves out what misses it', () => {
    expect(clipSegment(-10, 5, 20, 5, box)).toEqual([0, 5, 10, 5]);
    expect(clipSegment(-10, -5, 20, -5, box)).toBeNull();
    expect(clipSegment(-1e300, 5, 1e300, 5, box)).toEqual([expect.closeTo(0), 5, expect.closeTo(10), 5]);
  });
  it('cuts a ring that holds the whole box to the box', () => {
    const ring = clipRing([-100, -100, 100, -100, 100, 100, -100, 100], box);
    const corners = new Set(ring.map((_, i) => (i % 2 ? '' : `${ring[i]} ${ring[i + 1]}`)).filter(Boolean));
    expect(corners).toEqual(new Set(['0 0', '10 0', '10 10', '0 10']));
  });
});
