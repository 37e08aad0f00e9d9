import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readClaim } from '@/lib/crs/claim';
import { identifyClaim } from '@/lib/crs/registry/identify';
import forms from '@/test/fixtures/crs/claim-forms.json';

const identify = (text: string): string | null => {
  const found = identifyClaim(readClaim(text));
  return found && `${found.record.id} by ${found.by}`;
};

describe('the known CRS behind a claim', () => {
  it.each([
    ['EPSG:27700', 'EPSG:27700 by code'],
    ['urn:ogc:def:crs:EPSG:9.0:27700', 'EPSG:27700 by code'],
    ['27700', 'EPSG:27700 by code'],
    ['CRS:84', 'OGC:CRS84 by code'],
    ['ignf:lamb93', 'IGNF:LAMB93 by code'],
    ['ESRI:102100', 'ESRI:102100 by code'],
    ['EPSG:102100', 'ESRI:102100 by code'],
    ['EPSG:900913', 'EPSG:3857 by code'],
    ['EPSG:4979', 'EPSG:4979 by code'],
    ['WGS84', 'EPSG:4326 by name'],
    ['WGS 84', 'EPSG:4326 by name'],
    ['wgs 84 / utm ZONE 30n', 'EPSG:32630 by name'],
    ['WGS_1984_UTM_Zone_30N', 'EPSG:32630 by name'],
    ['British National Grid', 'EPSG:27700 by name'],
    ['NAD83(CSRS98) / UTM zone 19N (deprecated)', 'EPSG:2037 by name'],
    ['NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet', 'EPSG:2263 by name'],
  ])('%s is %s', (text, expected) => {
    expect(identify(text)).toBe(expected);
  });

  it.each([
    ['EPSG:7405', 'EPSG:27700 by code'],
    ['EPSG:27700+5701', 'EPSG:27700 by code'],
    ['EPSG:27700 + EPSG:5701', 'EPSG:27700 by code'],
    ['urn:ogc:def:crs,crs:EPSG::27700,crs:EPSG::5701', 'EPSG:27700 by code'],
    ['OSGB36 / British National Grid + ODN height', 'EPSG:27700 by name'],
    ['ED50 / UTM zone 30N + EVRF2000 height', 'EPSG:23030 by name'],
    [forms['wkt1 compound'], 'EPSG:27700 by wkt_id'],
    [forms['wkt2 compound'], 'EPSG:27700 by wkt_id'],
  ])('a compound claim, %s, is its horizontal part', (text, expected) => {
    expect(identify(text)).toBe(expected);
  });

  it.each([
    ['+proj=utm +zone=30 +datum=WGS84', 'EPSG:32630'],
    ['+proj=utm +zone=30 +south +datum=WGS84 +units=m +no_defs +type=crs', 'EPSG:32730'],
    ['proj=utm zone=30 datum=WGS84', 'EPSG:32630'],
    ['+proj=tmerc +lat_0=0 +lon_0=-3 +k=0.9996 +x_0=500000 +y_0=0 +datum=WGS84 +units=m', 'EPSG:32630'],
    ['+proj=longlat +datum=WGS84 +no_defs', 'EPSG:4326'],
    ['+proj=longlat +ellps=WGS84', 'EPSG:4326'],
    ['+proj=longlat +datum=NAD27', 'EPSG:4267'],
    [
      '+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
      'EPSG:2154',
    ],
    ['+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs', 'EPSG:3035'],
    ['+proj=tmerc +axis=wsu +lon_0=29 +ellps=WGS84 +units=m', 'EPSG:2053'],
    [forms['proj str'], 'EPSG:27700'],
    ['+proj=tmerc +lat_0=49 +lon_0=-2 +k_0=0.9996012717 +x_0=4e5 +y_0=-100000 +datum=OSGB36 +units=m', 'EPSG:27700'],
    [
      '+proj=lcc +lat_0=40.1666666666667 +lon_0=-74 +lat_1=41.0333333333333 +lat_2=40.6666666666667 +x_0=300000 +y_0=0 +datum=NAD83 +units=us-ft +no_defs',
      'EPSG:2263',
    ],
    ['+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +k=1.0 +units=m +nadgrids=@null +wktext', 'EPSG:3857'],
  ])('%s defines %s', (text, id) => {
    expect(identify(text)).toBe(`${id} by definition`);
  });

  it.each([
    ['another central meridian', '+proj=tmerc +lat_0=0 +lon_0=-3.1 +k=0.9996 +x_0=500000 +y_0=0 +datum=WGS84'],
    ['another false easting', '+proj=tmerc +lat_0=0 +lon_0=-3 +k=0.9996 +x_0=500001 +y_0=0 +datum=WGS84'],
    ['another direction of its axes', '+proj=utm +zone=30 +datum=WGS84 +axis=wsu'],
    ['another unit', '+proj=utm +zone=30 +datum=WGS84 +units=us-ft'],
    ['an unknown unit', '+proj=utm +zone=30 +datum=WGS84 +units=cubit'],
    ['an unknown datum', '+proj=utm +zone=30 +datum=constructor'],
    ['an ellipsoid that many datums share', '+proj=longlat +ellps=bessel'],
    ['one that is in Spain or in Mauritania', '+proj=utm +zone=30 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0'],
  ])('%s makes it no known one', (_, text) => {
    expect(identify(text)).toBeNull();
  });

  it('WKT is told by its outermost code, not by one inside', () => {
    const { wkt1 } = forms;
    const without = wkt1.replace(',AUTHORITY["EPSG","27700"]]', ']');
    expect(without).toContain('AUTHORITY["EPSG","4277"]');
    expect(identify(wkt1)).toBe('EPSG:27700 by wkt_id');
    expect(identify(without)).toBe('EPSG:27700 by name');
    expect(identify(without.replace('OSGB36 / British National Grid', 'my grid'))).toBeNull();
  });

  it('a name on a definition in another unit is not that CRS', () => {
    expect(identify(forms['wkt1 esri'])).toBe('EPSG:27700 by name');
    expect(identify(forms['wkt1 esri'].replace('UNIT["Meter",1.0]', 'UNIT["Foot",0.3048]'))).toBeNull();
  });

  it('PROJJSON is told by its id, then by its name', () => {
    const json = JSON.parse(forms.projjson);
    expect(identify(JSON.stringify(json))).toBe('EPSG:27700 by wkt_id');
    const { id: _, ...nameless } = json;
    expect(identify(JSON.stringify(nameless))).toBe('EPSG:27700 by name');
    const compound = { type: 'CompoundCRS', name: 'x', components: [json, { type: 'VerticalCRS', name: 'h' }] };
    expect(identify(JSON.stringify(compound))).toBe('EPSG:27700 by wkt_id');
    expect(identify(JSON.stringify({ type: 'BoundCRS', source_crs: nameless }))).toBe('EPSG:27700 by name');
  });

  it('what is refused, missing or unknown is none', () => {
    for (const text of ['', 'EPSG:5701', 'EPSG:99999', 'not a crs', 'PROJCS["', '+proj=', '{"type":"ProjectedCRS"}'])
      expect(identify(text)).toBeNull();
  });
});

describe('a name that cannot place x and y is refused by name', () => {
  it.each([
    ['ODN height', /vertical/],
    ['odn_height', /vertical/],
    ['GCS_Mars_2000', /another body/],
    ['RGF93 (geocentric)', null],
    ['WGS 84', null],
  ])('%s', (text, reason) => {
    const claim = readClaim(text);
    if (reason) expect(claim).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    else expect(claim.kind).toBe('text');
  });
});

describe('any text', () => {
  it('is identified or not, never an exception', () => {
    const piece = fc.constantFrom(
      'PROJCS["',
      'COMPD_CS[',
      'BOUNDCRS[SOURCECRS[',
      'ID["EPSG",27700]',
      'AUTHORITY["EPSG","4326"]',
      '"',
      '""',
      ']',
      '[',
      '(',
      ')',
      ',',
      '+proj=utm ',
      '+zone=30 ',
      '+units=',
      '+datum=',
      '+pm=paris ',
      '=',
      'constructor',
      '__proto__',
      'WGS 84',
      ' + ',
      '{"id":',
      '{"name":',
      '}',
      'null',
      '1e400',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (written) => {
        const claims = [readClaim(written), { kind: 'text', text: written } as const];
        for (const claim of claims) {
          const found = identifyClaim(claim);
          if (found) expect(found.record.kind).not.toBe('compound');
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('long hostile texts are read in linear time', () => {
    identify('WGS 84');
    identify('+proj=utm +zone=30 +datum=WGS84');
    const before = process.cpuUsage();
    for (const part of ['[', '"', '"",', 'ID["",', 'PROJCS[', ' + ', ' ', '+a=', '_', 'é', '(', 'crs:'])
      for (const head of ['PROJCS["x",', 'COMPD_CS[', '+proj=', '', 'urn:ogc:def:crs,crs:'])
        identifyClaim({ kind: 'text', text: head + part.repeat(65_000 / part.length) });
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});
