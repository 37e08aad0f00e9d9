import { describe, expect, it } from 'vitest';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { readWkb } from '@/lib/wkb/read-wkb';
import { sequenceHoldingVertex, sequencesOf, vertexAtPath, vertexOf } from '@/lib/wkb/sequences';
import { bytesOf, ENCODINGS, faultyBytes } from './fixtures';

function read(wkt: string) {
  const made = ewkbFromWkt(wkt);
  if ('error' in made) throw new Error(made.error.message);
  const reading = readWkb(made.bytes);
  return { reading, sequences: [...sequencesOf(reading)] };
}

const MIXED =
  'GEOMETRYCOLLECTION(POINT(9 9),MULTIPOLYGON(((0 0,1 0,1 1,0 0),(5 5,6 5,6 6)),((2 2,3 2,3 3,2 2))),' +
  'LINESTRING EMPTY,MULTIPOINT((7 7),(8 nan)),LINESTRING(0 0,4 4))';

describe('sequences', () => {
  it('come in the order of the bytes with kind, path, first vertex and closure', () => {
    const { sequences } = read(MIXED);
    expect(sequences.map((s) => [s.kind, s.path, s.first_vertex, s.vertex_count, s.is_closed])).toEqual([
      ['point', [0], 0, 1, false],
      ['shell', [1, 0, 0], 1, 4, true],
      ['hole', [1, 0, 1], 5, 3, false],
      ['shell', [1, 1, 0], 8, 4, true],
      ['line', [2], 12, 0, false],
      ['point', [3, 0], 12, 1, false],
      ['point', [3, 1], 13, 1, false],
      ['line', [4], 14, 2, false],
    ]);
  });

  it('of a curve polygon are its arcs and lines, as shell and hole', () => {
    const made = ENCODINGS.find((one) => one.name === 'CURVEPOLYGON Z');
    const sequences = [...sequencesOf(readWkb(bytesOf(made?.ewkb_ndr ?? '')))];
    expect(sequences.map((s) => [s.kind, s.arcs, s.stride, s.has_z, s.has_m])).toEqual([
      ['shell', true, 3, true, false],
      ['hole', false, 3, true, false],
    ]);
  });

  it('a sequence that the bytes cut off says so', () => {
    const bytes = faultyBytes('bowtie');
    const [ring] = [...sequencesOf(readWkb(bytes.subarray(0, bytes.length - 1)))];
    expect(ring).toMatchObject({ vertex_count: 4, is_cut: true, is_closed: false });
  });

  it('every vertex number is found in its sequence, and none outside', () => {
    const { reading, sequences } = read(MIXED);
    for (let vertex = 0; vertex < reading.vertex_count; vertex++) {
      const holder = sequenceHoldingVertex(sequences, vertex);
      const at = (holder?.first_vertex ?? NaN) + (holder?.vertex_count ?? NaN);
      expect(holder && holder.first_vertex <= vertex && vertex < at).toBe(true);
      if (holder)
        expect(vertexOf(reading.coords, holder, vertex)).toEqual([
          ...reading.coords.subarray(vertex * 2, vertex * 2 + 2),
        ]);
    }
    expect(sequenceHoldingVertex(sequences, reading.vertex_count)).toBeNull();
    expect(sequenceHoldingVertex(sequences, -1)).toBeNull();
    expect(sequenceHoldingVertex([], 0)).toBeNull();
  });

  it('the path of a finding leads to its vertex', () => {
    const { reading, sequences } = read(MIXED);
    const [unclosed, too_few, non_finite] = ['unclosed_ring', 'too_few_points', 'non_finite_vertex'].map((code) =>
      reading.findings.find((finding) => finding.code === code),
    );
    expect(unclosed?.path).toEqual([1, 0, 1]);
    expect(vertexAtPath(sequences, too_few?.path ?? [])).toBe(5);
    expect(non_finite?.path).toEqual([3, 1]);
    expect(vertexAtPath(sequences, non_finite?.path ?? [])).toBe(13);
    expect(reading.first_non_finite_vertex).toBe(13);
    expect(vertexAtPath(sequences, [1, 1, 0, 2])).toBe(10);
    expect(vertexAtPath(sequences, [1, 1])).toBe(8);
    expect(vertexAtPath(sequences, [])).toBe(0);
    for (const path of [[9], [2], [1, 1, 0, 4], [1, 2, 0, 0]]) expect(vertexAtPath(sequences, path)).toBeNull();
  });
});
