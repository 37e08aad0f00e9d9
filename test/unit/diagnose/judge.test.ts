import { describe, expect, test } from 'vitest';
import { type Evidence, judge } from '@/lib/diagnose/judge';
import { bytesFromHex } from '@/lib/wkb/hex';

const point = bytesFromHex('0101000000000000000000f03f0000000000000040');
const nan = bytesFromHex('0101000000000000000000f87f000000000000f87f');
const evidence = (given: Partial<Evidence>): Evidence => ({
  geom_wkb: point,
  has_geom: true,
  geom_error: null,
  geom_given: null,
  srid: null,
  src_crs: 'EPSG:4326',
  payload_ref: null,
  referenced: null,
  ...given,
});

const by_reference = { geom_wkb: null, has_geom: false, payload_ref: 'sha256:00' };

describe('what the bytes and the claim tell before the database is asked', () => {
  test.each([
    ['no bytes at all', { geom_wkb: null, has_geom: false }, 'no_geometry'],
    ['bytes kept by reference', { ...by_reference, referenced: { wkb: point!, text: null } }, null],
    ['those of too large a blob', { ...by_reference, referenced: { problem: 'too_large', message: '' } }, 'too_large'],
    ['those of a missing blob', { ...by_reference, referenced: { problem: 'missing', message: '' } }, 'unreadable'],
    [
      'text that could not be read',
      { geom_wkb: null, has_geom: false, geom_given: '{', geom_error: 'no geometry' },
      'unreadable',
    ],
    ['a truncated point', { geom_wkb: point!.slice(0, 12), has_geom: false }, 'unreadable'],
    ['bytes that only PostGIS refuses', { has_geom: false, geom_error: 'refused' }, 'unreadable'],
    ['a vertex that is not a number', { geom_wkb: nan }, 'non_finite'],
    ['neither claim nor number', { src_crs: null }, 'no_crs'],
    ['a blank claim', { src_crs: '  ' }, 'no_crs'],
    ['a local engineering system', { src_crs: 'LOCAL_CS["Unknown",UNIT["metre",1]]' }, 'unknown_crs'],
    ['a code beyond all codes', { src_crs: 'EPSG:9999999' }, 'unknown_crs'],
    ['nothing wrong', {}, null],
  ] as const)('%s', (_, given, reason) => {
    expect(judge(evidence(given)).unmappable_reason).toBe(reason);
  });

  test('what is more than the reader takes is too large, not unreadable', () => {
    const empty_lines = new Uint8Array(9 + 1_860_000 * 9);
    empty_lines.set([1, 7, 0, 0, 0]);
    new DataView(empty_lines.buffer).setUint32(5, 1_860_000, true);
    for (let at = 9; at < empty_lines.length; at += 9) empty_lines.set([1, 2, 0, 0, 0], at);
    expect(judge(evidence({ geom_wkb: empty_lines }))).toMatchObject({
      unmappable_reason: 'too_large',
      reproject_error: expect.stringContaining('parts'),
    });
  });

  test('the claim decides, the number on the geometry only where nothing is claimed', () => {
    expect(judge(evidence({ src_crs: 'EPSG:27700', srid: 4326 }))).toMatchObject({
      source_srid: 27700,
      source_text: null,
    });
    expect(judge(evidence({ src_crs: null, srid: 4326 }))).toMatchObject({ source_srid: 4326, source_text: null });
    expect(judge(evidence({ src_crs: 'OGC:CRS84' }))).toMatchObject({ source_srid: 4326, source_text: null });
    expect(judge(evidence({ src_crs: '+proj=utm +zone=31' }))).toMatchObject({
      source_srid: null,
      source_text: '+proj=utm +zone=31',
    });
  });

  test('a blob’s own number counts where nothing else is claimed', () => {
    const wkb = bytesFromHex('0101000020e6100000000000000000f03f0000000000000040')!;
    const claimed = { ...by_reference, referenced: { wkb, text: null }, src_crs: null };
    expect(judge(evidence(claimed))).toMatchObject({ source_srid: 4326, unmappable_reason: null });
    expect(judge(evidence({ ...claimed, srid: 27700 }))).toMatchObject({ source_srid: 27700 });
  });

  test('a vertex that is not finite is a finding with its place among the vertices', () => {
    expect(judge(evidence({ geom_wkb: nan })).faults).toEqual([
      expect.objectContaining({ code: 'non_finite_vertex', severity: 'fails', at: null }),
    ]);
  });
});
