import { describe, expect, it } from 'vitest';
import { geoJsonRefusal, wktRefusal } from '@/components/evidence/copy-refusal.model';
import { Bytes, sceneOf, square } from './hex-geometries';

const lonlat = { id: 'EPSG:4326' };
const refusal = (bytes: Bytes, claim: { id: string } | null = lonlat, src_crs: string | null = 'x') =>
  geoJsonRefusal(sceneOf(bytes), claim, src_crs);

describe('GeoJSON', () => {
  it('is offered where it says the same as the bytes and their claim', () => {
    expect(refusal(new Bytes().polygon([square(0, 0, 1)]))).toBeNull();
    expect(refusal(new Bytes().polygon([square(0, 0, 1)]), { id: 'OGC:CRS84' })).toBeNull();
  });

  it('is refused, with the reason, where it would say another thing', () => {
    const sound = new Bytes().polygon([square(0, 0, 1)]);
    expect(refusal(sound, { id: 'EPSG:32122' })).toMatch(/the claim is another/);
    expect(refusal(sound, null, null)).toMatch(/no CRS is claimed/);
    expect(
      refusal(
        new Bytes().line([
          [0, 0],
          [Number.NaN, 1],
        ]),
      ),
    ).toMatch(/no NaN/);
    expect(refusal(new Bytes().polygon([square(0, 0, 1).slice(0, 4)]))).toMatch(/closed/);
    expect(
      refusal(
        new Bytes().polygon([
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ]),
      ),
    ).toMatch(/four positions/);
    expect(refusal(new Bytes().head(1001).positions([[1, 2, 3]]))).toMatch(/metres above/);
    expect(refusal(new Bytes().head(2001).positions([[1, 2, 3]]))).toMatch(/no M/);
    expect(
      refusal(
        new Bytes()
          .head(8)
          .u32(3)
          .positions([
            [0, 0],
            [1, 1],
            [2, 0],
          ]),
      ),
    ).toMatch(/CircularString/);
    expect(refusal(new Bytes().head(3).u32(1).u32(9))).toMatch(/end before/);
  });
});

describe('WKT', () => {
  it('is refused for bytes that end early or go on, and for types without a writer', () => {
    expect(
      wktRefusal(
        sceneOf(
          new Bytes().line([
            [0, 0],
            [1, 1],
          ]),
        ),
      ),
    ).toBeNull();
    expect(wktRefusal(sceneOf(new Bytes().point([0, 0]).u32(7)))).toMatch(/follow/);
    expect(wktRefusal(sceneOf(new Bytes().head(16).u32(0)))).toMatch(/Tin/);
  });
});
