import { describe, expect, test } from 'vitest';
import type { UndiagnosedRow } from '@/db/queries/claim-undiagnosed';
import type { PlacedRow } from '@/db/queries/place-claims';
import { diagnosisOf } from '@/lib/diagnose/diagnosis-of';
import { judge } from '@/lib/diagnose/judge';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';

const PLACED: PlacedRow = {
  entry_id: '1',
  known_srid: 4326,
  known_text: null,
  claim_error: null,
  lons: null,
  lats: null,
  place_error: null,
  geom_error: null,
  valid: true,
  invalid_reason: null,
  invalid_x: null,
  invalid_y: null,
};

function diagnosed(wkt: string, given: Partial<UndiagnosedRow> = {}, placed: Partial<PlacedRow> = {}) {
  const read = ewkbFromWkt(wkt, null);
  if ('error' in read) throw new Error(read.error.message);
  const row: UndiagnosedRow = {
    entry_id: '1',
    tries: 1,
    payload_hash: Buffer.from('00', 'hex'),
    geom_wkb: Buffer.from(read.bytes),
    has_geom: true,
    geom_error: null,
    geom_given: null,
    srid: null,
    src_crs: 'EPSG:4326',
    payload_ref: null,
    geom_format: 'wkt',
    target_crs: null,
    tile_z: null,
    tile_x: null,
    tile_y: null,
    tile_matrix_set: null,
    source_window: null,
    params_box: null,
    raster_width: null,
    raster_height: null,
    sibling_key: '0',
    ...given,
  };
  return diagnosisOf(row, judge({ ...row, referenced: null }), { ...PLACED, ...placed }, []);
}

describe('what PostGIS finds', () => {
  test('comes first, in our words where we found it too', () => {
    const two_knots = 'POLYGON((0 0,2 2,2 0,0 2,0 0),(0.2 0.8,0.4 1.2,0.4 0.8,0.2 1.2,0.2 0.8))';
    const { faults } = diagnosed(
      two_knots,
      {},
      { valid: false, invalid_reason: 'Self-intersection', invalid_x: 0.3, invalid_y: 1 },
    );
    const [first, ...others] = faults as { code: string; at: number[]; path: number[] | null }[];
    expect(first?.code).toBe('self_intersection');
    expect(first?.at[0]).toBeCloseTo(0.3, 9);
    expect(first?.path).not.toBeNull();
    expect(others.some(({ at }) => at?.[0] === 1)).toBe(true);
  });

  test('is taken as it says where we found nothing', () => {
    const { faults } = diagnosed(
      'POLYGON((0 0,2 0,2 2,0 0))',
      {},
      { valid: false, invalid_reason: 'Interior is disconnected', invalid_x: 1, invalid_y: 1 },
    );
    expect(faults[0]).toMatchObject({ code: 'interior_disconnected', at: [1, 1], severity: 'fails' });
  });
});

describe('a claim that the database cannot read', () => {
  test('is unknown, whatever the registry knows of it', () => {
    expect(diagnosed('POINT(10.5 50.25)', {}, { claim_error: 'no such file' })).toMatchObject({
      crs_verdict: 'unknown_crs',
      crs_reason: expect.stringContaining('no such file'),
      unmappable_reason: 'unknown_crs',
      reproject_error: 'no such file',
    });
  });

  test('does not hide that the numbers are no places at all', () => {
    const { crs_verdict, also, unmappable_reason } = diagnosed(
      'LINESTRING(NaN 1,2.5 2.5)',
      {},
      { claim_error: 'no such file' },
    );
    expect([crs_verdict, also[0], unmappable_reason]).toEqual(['non_finite', 'unknown_crs', 'non_finite']);
  });

  test('is not one that merely does not reach the place', () => {
    const nowhere = { lons: [null], lats: [null], place_error: 'transform: Invalid coordinate (2049)' };
    expect(diagnosed('POINT(10.5 50.25)', {}, nowhere).unmappable_reason).toBeNull();
    expect(diagnosed('POINT(10.5 50.25)', {}, { ...nowhere, place_error: 'could not form projection' })).toMatchObject({
      crs_verdict: 'unknown_crs',
      unmappable_reason: 'unknown_crs',
    });
  });
});

test('pixels are no places: no footprint, by that reason, unless the bytes have a worse one', () => {
  const pixels = 'POLYGON((331 31,495 35,158 24,670 9,331 31))';
  expect(diagnosed(pixels, { src_crs: null })).toMatchObject({
    crs_verdict: 'not_geographic',
    unmappable_reason: 'not_geographic',
    suggestion: null,
  });
  expect(diagnosed(pixels, { src_crs: null }, { geom_error: 'refused' }).unmappable_reason).toBe('unreadable');
});

test('a window outside its raster is a fault beside the geometry’s', () => {
  const window = { col_off: 600, row_off: 0, width: 10, height: 10 };
  const { faults } = diagnosed('POINT(10.5 50.25)', { source_window: window, raster_width: 512, raster_height: 512 });
  expect(faults).toMatchObject([{ code: 'window_outside_raster', severity: 'fails' }]);
});
