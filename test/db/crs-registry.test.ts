import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projText, readClaim } from '@/lib/crs/claim';
import { fromLonLat, toLonLat } from '@/lib/crs/place';
import { identifyClaim } from '@/lib/crs/registry/identify';
import { allCrs, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { metresBetween } from '@/lib/crs/sphere';
import forms from '@/test/fixtures/crs/claim-forms.json';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

type Point = [number, number];

/** Where PostGIS puts a point; null where it refuses the point or one of the texts. */
async function transform([x, y]: Point, from: string, to: string): Promise<Point | null> {
  const text = 'select st_x(p) as x, st_y(p) as y from st_transform(st_point($1, $2), $3::text, $4::text) as p';
  // One failed projection makes the next good call of a session fail too, once.
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      const { rows } = await database.pool.query(text, [x, y, from, to]);
      return Number.isFinite(rows[0].x) && Number.isFinite(rows[0].y) ? [rows[0].x, rows[0].y] : null;
    } catch {}
  return null;
}

function middleOf({ envelope }: CrsRecord): Point {
  const [west, south, east, north] = envelope as [number, number, number, number];
  // A quarter, not the half: on an axis of symmetry a wrong sign would not show.
  return [west + (east - west) * 0.4, south + (north - south) * 0.6];
}

/** The same records for the same seed (xorshift). */
function sampleOf(records: readonly CrsRecord[], count: number): CrsRecord[] {
  let seed = 20_260_131;
  const random = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) / 2 ** 32;
  };
  return records
    .map((record) => ({ record, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ record }) => record);
}

const projected = allCrs().filter(({ kind, proj, envelope }) => kind === 'projected' && proj && envelope);

describe('the registry places points where PostGIS does', () => {
  /** The traps: south and west axes, feet, grads, Paris and Ferro, a pole, a world map, across 180°. */
  const traps =
    'EPSG:2065 EPSG:5513 EPSG:5514 EPSG:2053 EPSG:22275 EPSG:2263 EPSG:27561 EPSG:27572 EPSG:8044 EPSG:3031 EPSG:5041 EPSG:3857 EPSG:8857 EPSG:3832 EPSG:21781 EPSG:3375 ESRI:54009 ESRI:54030 ESRI:54003 ESRI:102100 IGNF:LAMB93';

  test('a point of the area of use, for 400 systems and the traps', { timeout: 300_000 }, async () => {
    const records = [...sampleOf(projected, 400), ...traps.split(' ').map((id) => crsOf(id) as CrsRecord)];
    const wrong: string[] = [];
    let compared = 0;
    for (const record of records) {
      const point = middleOf(record);
      const base = crsOf(record.base as string) as CrsRecord;
      const in_base = await transform(point, record.id, base.id);
      const expected = in_base && toLonLat(base, ...in_base);
      const place = toLonLat(record, ...point);
      if (expected === null && place === null) continue;
      compared++;
      const off_m = expected && place ? metresBetween(expected, place) : Infinity;
      const back = place && fromLonLat(record, ...place);
      const back_m = back ? Math.hypot(back[0] - point[0], back[1] - point[1]) * (record.unit_factor ?? 1) : Infinity;
      if (off_m > 50 || back_m > 50)
        wrong.push(`${record.id}: ${point} is ${place} here, ${expected} there; comes back as ${back}`);
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(400);
  });

  test('grads from Paris, for a geographic system', async () => {
    const paris = crsOf('EPSG:4807') as CrsRecord;
    const expected = await transform([2.5, 52], 'EPSG:4807', 'EPSG:4275');
    expect(metresBetween(toLonLat(paris, 2.5, 52) as Point, expected as Point)).toBeLessThan(1);
    expect(expected?.[0]).toBeCloseTo(2.5 * 0.9 + 2.33723, 4);
  });
});

describe('a claim is told as PostGIS takes it', () => {
  const london: Point = [-0.1276, 51.5072];

  test.each(Object.entries(forms))('%s', async (_, text) => {
    const claim = readClaim(text);
    const given = projText(claim);
    const found = identifyClaim(claim);
    if (given === null) {
      expect(found).toBeNull();
      return;
    }
    if (found === null) {
      expect(await transform(london, given, 'EPSG:4326')).toBeNull();
      return;
    }
    const point = middleOf(found.record);
    // A text without a datum differs by the shift, some 100 m here; another CRS would by much more.
    const by_text = await transform(point, given === 'EPSG:900913' ? 'ESRI:102113' : given, 'EPSG:4326');
    const by_id = await transform(point, found.record.id, 'EPSG:4326');
    expect(metresBetween(by_text as Point, by_id as Point)).toBeLessThan(500);
  });

  test('a name or another name, in capitals or with underscores, is the system that PROJ finds', {
    timeout: 120_000,
  }, async () => {
    const wrong: string[] = [];
    for (const record of sampleOf(
      projected.filter(({ id, deprecated }) => id.startsWith('EPSG:') && !deprecated),
      60,
    )) {
      const found = identifyClaim(readClaim(record.name));
      const point = middleOf(record);
      const by_name = await transform(point, record.name, record.base as string);
      const by_found = found && (await transform(point, found.record.id, record.base as string));
      const same = by_name && by_found && Math.hypot(by_name[0] - by_found[0], by_name[1] - by_found[1]) < 0.01;
      const others = [record.name.toUpperCase(), record.name.replaceAll(' ', '_')].map(
        (name) => identifyClaim(readClaim(name))?.record.id,
      );
      if (!same || others.some((id) => id !== found.record.id))
        wrong.push(`${record.id} ${record.name}: ${found?.record.id} ${others}`);
    }
    expect(wrong).toEqual([]);
  });
});
