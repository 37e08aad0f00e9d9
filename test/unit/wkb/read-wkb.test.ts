import { describe, expect, it } from 'vitest';
import { readWkb } from '@/lib/wkb/read-wkb';
import { isStructurallySound } from '@/lib/wkb/reading';
import { sequencesOf, vertexOf } from '@/lib/wkb/sequences';
import { bytesOf, ENCODINGS, faultyBytes } from './fixtures';

function vertices(bytes: Uint8Array): number[][] {
  const reading = readWkb(bytes);
  const all: number[][] = [];
  for (const sequence of sequencesOf(reading))
    for (let n = 0; n < sequence.vertex_count; n++)
      all.push(vertexOf(reading.coords, sequence, sequence.first_vertex + n));
  return all;
}

describe('bytes written by PostGIS', () => {
  const flavours = ['ewkb_ndr', 'ewkb_xdr', 'ewkb_ndr_no_srid', 'iso_ndr', 'iso_xdr'] as const;
  const cases = ENCODINGS.flatMap((made) => flavours.map((flavour) => ({ ...made, flavour, hex: made[flavour] })));

  it('covers fifteen types in four dimensions, filled and empty', () => {
    expect(ENCODINGS).toHaveLength(15 * 4 * 2 - 4);
  });

  it.each(cases)(
    '$name as $flavour gives its type, dimensions and every vertex',
    ({ hex, type, name, points, flavour }) => {
      const reading = readWkb(bytesOf(hex));
      expect(reading.error).toBeNull();
      expect(isStructurallySound(reading)).toBe(true);
      expect(reading.type_name?.toUpperCase()).toBe(type);
      expect([reading.has_z, reading.has_m]).toEqual([/ ZM?\b/.test(name), / Z?M\b/.test(name)]);
      expect(reading.srid).toBe(flavour.startsWith('ewkb') && !flavour.endsWith('no_srid') ? 4326 : null);
      expect(reading.vertex_count).toBe(points.length);
      expect(vertices(bytesOf(hex))).toEqual(points);
      expect(reading.is_empty).toBe(points.length === 0);
      expect(reading.findings.filter((finding) => finding.severity === 'fails')).toEqual([]);
    },
  );
});

describe('faults that the bytes show', () => {
  const faults = (name: Parameters<typeof faultyBytes>[0]) =>
    readWkb(faultyBytes(name)).findings.map(({ code, path, at, severity }) => ({ code, path, at, severity }));

  it('an unclosed ring is named with its path and its last vertex, and is not closed', () => {
    expect(faults('unclosedRing')).toEqual([{ code: 'unclosed_ring', path: [0], at: [0, 4], severity: 'fails' }]);
    expect(readWkb(faultyBytes('unclosedRing')).vertex_count).toBe(4);
    expect(faults('unclosedHole')).toEqual([{ code: 'unclosed_ring', path: [1], at: [1, 2], severity: 'fails' }]);
  });

  it('short rings and lines are too few points', () => {
    expect(faults('closedShortRing')).toEqual([{ code: 'too_few_points', path: [0], at: [0, 0], severity: 'fails' }]);
    expect(faults('twoPointRing').map((fault) => fault.code)).toEqual(['too_few_points', 'unclosed_ring']);
    expect(faults('emptyRing')).toEqual([{ code: 'too_few_points', path: [0], at: null, severity: 'fails' }]);
    expect(faults('onePointLine')).toEqual([{ code: 'too_few_points', path: [], at: [1, 2], severity: 'fails' }]);
  });

  it('a NaN vertex has its path and number, no place, and stays out of the box', () => {
    const reading = readWkb(faultyBytes('nanVertex'));
    expect(faults('nanVertex')).toEqual([{ code: 'non_finite_vertex', path: [0, 2], at: null, severity: 'fails' }]);
    expect(reading.first_non_finite_vertex).toBe(2);
    expect(reading.bbox).toEqual([0, 0, 4, 4]);
  });

  it('a ring that begins and ends at NaN is non-finite, not unclosed', () => {
    expect(faults('nanRingEnds').map((fault) => fault.code)).toEqual(['non_finite_vertex', 'non_finite_vertex']);
  });

  it('infinite ordinates of either sign are non-finite', () => {
    expect(faults('infiniteVertex').map((fault) => fault.path)).toEqual([[1], [2]]);
    expect(readWkb(faultyBytes('infiniteVertex')).bbox).toEqual([0, 0, 0, 0]);
  });

  it('a point at NaN NaN fails, has no box, and is not called empty', () => {
    const reading = readWkb(faultyBytes('nanPoint'));
    expect(faults('nanPoint')).toEqual([{ code: 'non_finite_vertex', path: [], at: null, severity: 'fails' }]);
    expect([reading.bbox, reading.is_empty, reading.first_non_finite_vertex]).toEqual([null, false, 0]);
  });

  it('a NaN height is a note at its finite place', () => {
    expect(faults('nanHeight')).toEqual([{ code: 'non_finite_vertex', path: [1], at: [1, 1], severity: 'note' }]);
    expect(readWkb(faultyBytes('nanHeight')).first_non_finite_vertex).toBeNull();
  });

  it('an SRID is given raw and noted where PostGIS would rewrite it', () => {
    expect(readWkb(faultyBytes('sridOutOfRange')).srid).toBe(9_999_999);
    expect(readWkb(faultyBytes('negativeSrid')).srid).toBe(4_294_967_291);
    expect(faults('sridOutOfRange')).toEqual([{ code: 'srid_out_of_range', path: null, at: null, severity: 'note' }]);
    expect(readWkb(faultyBytes('negativeSrid')).findings[0]?.message).toContain('-5 as a signed number');
  });

  it('trailing bytes are counted and noted', () => {
    expect(readWkb(faultyBytes('trailingBytes')).trailing_bytes).toBe(7);
    expect(faults('trailingBytes')).toEqual([{ code: 'trailing_bytes', path: null, at: null, severity: 'note' }]);
  });

  it('a part of another byte order is sound', () => {
    expect(vertices(faultyBytes('mixedByteOrders'))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(faults('mixedByteOrders')).toEqual([]);
  });

  it('parts of other dimensions or of a forbidden type are read and fail', () => {
    expect(vertices(faultyBytes('mixedDimensions'))).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
    expect(faults('mixedDimensions')).toEqual([{ code: 'unknown_type', path: [1], at: null, severity: 'fails' }]);
    expect(faults('lineInMultiPoint')).toEqual([{ code: 'unknown_type', path: [0], at: null, severity: 'fails' }]);
    expect(isStructurallySound(readWkb(faultyBytes('lineInMultiPoint')))).toBe(false);
  });

  it('a curved ring is checked over its members', () => {
    const codes = faults('openCurveRing').map((fault) => fault.code);
    expect(codes).toEqual(['curve', 'unclosed_ring']);
  });

  it('a bow-tie, swapped axes and a crossing of 180° are sound to the reader', () => {
    for (const name of ['bowtie', 'swappedAxes', 'crossesAntimeridian', 'enclosesPole', 'originVertex'] as const)
      expect(faults(name)).toEqual([]);
  });

  it('only the first of each kind are listed, and the list says how many there are', () => {
    const line = new Uint8Array(9 + 500 * 16).fill(255);
    line.set([1, 2, 0, 0, 0, 0xf4, 1, 0, 0]);
    const reading = readWkb(line, { max_findings: 3 });
    expect(reading.finding_counts.non_finite_vertex).toBe(500);
    expect(reading.findings.map((finding) => finding.code)).toEqual([
      'non_finite_vertex',
      'non_finite_vertex',
      'non_finite_vertex',
      'capped',
    ]);
    expect(reading.findings.at(-1)?.message).toBe('3 of 500 non_finite_vertex are listed');
  });
});
