import { describe, expect, it } from 'vitest';
import { exactCoordinate } from '@/components/evidence/number-text.model';
import { outlierArrows } from '@/components/evidence/outlier-arrows.model';
import { CHUNK } from '@/components/evidence/scene.model';
import { pathWords, vertexAt, vertexAtPath } from '@/components/evidence/scene-vertex.model';
import { traceStroke } from '@/components/evidence/trace.model';
import { fitView } from '@/components/evidence/view.model';
import { sequencesOf } from '@/lib/wkb/sequences';
import { Bytes, sceneOf, square } from './hex-geometries';

const size = { width: 240, height: 184 };
const circle = (n: number) =>
  Array.from({ length: n }, (_, i) => [1e6 + 500 * Math.cos((i / (n - 1)) * 7), 500 * Math.sin((i / (n - 1)) * 7)]);

describe('a scene', () => {
  it('finds every vertex of a nested collection under the path that the reader gives it', () => {
    const bytes = new Bytes().head(7).u32(3).point([1, 2]);
    bytes
      .head(6)
      .u32(2)
      .polygon([square(0, 0, 4), square(1, 1, 1)])
      .polygon([square(9, 9, 1)]);
    bytes.head(4).u32(2).point([7, 7]).point([8, 8]);
    const scene = sceneOf(bytes);
    let vertex = 0;
    for (const { path, vertex_count, kind } of sequencesOf(scene))
      for (let i = 0; i < vertex_count; i++, vertex++) {
        const expected = kind === 'point' ? path : [...path, i];
        expect(vertexAt(scene, vertex)?.path).toEqual(expected);
        expect(vertexAtPath(scene, expected)).toBe(vertex);
      }
    expect(vertex).toBe(scene.vertex_count);
    expect(vertexAt(scene, vertex)).toBeNull();
  });

  it('says a path in words', () => {
    const scene = sceneOf(
      new Bytes()
        .head(6)
        .u32(2)
        .polygon([square(0, 0, 4)])
        .polygon([square(9, 9, 1)]),
    );
    expect(pathWords(scene, [1, 0, 3])).toBe('part 1, ring 0, vertex 3');
    expect(pathWords(scene, [1, 0])).toBe('part 1, ring 0');
    expect(pathWords(scene, [])).toBe('the whole geometry');
    expect(pathWords(scene, [7, 1])).toBe('7 / 1');
    expect(
      pathWords(
        sceneOf(
          new Bytes().line([
            [0, 0],
            [1, 1],
          ]),
        ),
        [1],
      ),
    ).toBe('vertex 1');
  });

  it('joins single points into one stroke and keeps their own paths', () => {
    const scene = sceneOf(new Bytes().head(4).u32(3).point([1, 1]).point([2, 2]).point([3, 3]));
    expect(scene.stroke_count).toBe(1);
    expect(vertexAt(scene, 2)).toMatchObject({ x: 3, path: [2] });
  });

  it('has a box for every finite vertex and lists the others', () => {
    const scene = sceneOf(
      new Bytes().line([
        [0, 0],
        [Number.NaN, 5],
        [4, 3],
        [2, Number.POSITIVE_INFINITY],
      ]),
    );
    expect(scene.bbox).toEqual([0, 0, 4, 3]);
    expect([...scene.chunks]).toEqual([0, 0, 4, 3]);
    expect([...scene.non_finite]).toEqual([1, 3]);
  });

  it('reads exact doubles back out of their text', () => {
    expect(exactCoordinate(-0)).toBe('-0');
    expect(Number(exactCoordinate(0.1 + 0.2))).toBe(0.1 + 0.2);
  });
});

describe('the trace of a stroke', () => {
  it('lifts the pen at a vertex that is not finite', () => {
    const scene = sceneOf(
      new Bytes().line([
        [0, 0],
        [10, 0],
        [Number.NaN, Number.NaN],
        [20, 0],
        [30, 0],
      ]),
    );
    const { runs } = traceStroke(scene, 0, fitView([0, 0, 30, 0], size, 18), size);
    expect(runs.map((run) => run.length)).toEqual([4, 4]);
  });

  it('draws no two vertices within half a pixel, yet never loses the last one', () => {
    const scene = sceneOf(new Bytes().line(circle(20_000)));
    const view = fitView(scene.bbox ?? [0, 0, 1, 1], size, 18);
    const [run] = traceStroke(scene, 0, view, size).runs;
    expect(run?.length).toBeLessThan(4000);
    const end = vertexAt(scene, 19_999);
    expect(run?.at(-2)).toBeCloseTo(120 + ((end?.x ?? 0) - view.cx) * view.k, 6);
  });

  it('passes over chunks beside the pane', () => {
    const scene = sceneOf(new Bytes().line(circle(CHUNK * 10)));
    const near = traceStroke(scene, 0, { cx: 1e6 + 500, cy: 0, k: 50 }, size);
    expect(near.near).toBeLessThanOrEqual(CHUNK * 4);
    expect(near.near).toBeGreaterThan(0);
  });
});

describe('the main cluster', () => {
  const parcel = Array.from({ length: 20 }, (_, i) => [2_184_500 + (i % 7) * 20, 645_900 + (i % 5) * 20]);

  it('is offered when one vertex lies at the origin', () => {
    const scene = sceneOf(new Bytes().line([...parcel, [0, 0]]));
    expect(scene.cluster?.outlier_count).toBe(1);
    expect(scene.cluster?.box[0]).toBeGreaterThan(2_184_000);
  });

  it('is offered when first and last vertex of a ring lie at the origin', () => {
    expect(sceneOf(new Bytes().polygon([[[0, 0], ...parcel, [0, 0]]])).cluster?.outlier_count).toBe(2);
  });

  it('is not offered for an ordinary shape', () => {
    expect(sceneOf(new Bytes().line(parcel)).cluster).toBeNull();
    expect(sceneOf(new Bytes().polygon([square(0, 0, 10)])).cluster).toBeNull();
    const many_at_one_place = [0, 0, 2, 0, 0].map((y, i) => [[0, 2, 4, 4, 0][i]!, y]);
    expect(sceneOf(new Bytes().line(many_at_one_place)).cluster).toBeNull();
  });

  it('points at the edge to what lies outside the view', () => {
    const scene = sceneOf(new Bytes().line([...parcel, [9e9, 645_950]]));
    const view = fitView(scene.cluster?.box ?? [0, 0, 1, 1], size, 18);
    const [arrow, ...others] = outlierArrows(scene, view, size);
    expect(others).toEqual([]);
    expect(arrow).toMatchObject({ count: 1, vertex: 20, towards: 'east' });
    expect(arrow?.px).toBeGreaterThan(size.width - 20);
    expect(outlierArrows(scene, fitView(scene.bbox ?? [0, 0, 1, 1], size, 18), size)).toEqual([]);
  });
});
