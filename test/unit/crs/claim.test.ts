import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CrsClaim, projText, readClaim } from '@/lib/crs/claim';
import forms from '@/test/fixtures/crs/claim-forms.json';

type FormName = keyof typeof forms;
const srid = (code: number): CrsClaim => ({ kind: 'srid', authority: 'EPSG', code });

/** What each form of the fixture must be read as; 'text' means unchanged, 'refused' with this word in the reason. */
const EXPECTED: Record<FormName, CrsClaim | 'text' | RegExp> = {
  'EPSG:27700': srid(27700),
  'epsg:27700': srid(27700),
  '27700 (bare)': srid(27700),
  urn: srid(27700),
  'urn ver': srid(27700),
  'urn x-ogc': srid(27700),
  'http uri': srid(27700),
  'https uri': srid(27700),
  'gml uri': srid(27700),
  'OGC:CRS84': { kind: 'authority', authority: 'OGC', code: 'CRS84', srid: 4326 },
  'urn CRS84': { kind: 'authority', authority: 'OGC', code: 'CRS84', srid: 4326 },
  'http CRS84': { kind: 'authority', authority: 'OGC', code: 'CRS84', srid: 4326 },
  'CRS:84': { kind: 'authority', authority: 'OGC', code: 'CRS84', srid: 4326 },
  WGS84: 'text',
  'ESRI:102100': { kind: 'authority', authority: 'ESRI', code: '102100', srid: null },
  'EPSG:102100 (esri code)': srid(102100),
  'EPSG:900913': srid(900913),
  'EPSG:9001xx nonsense': srid(99999),
  'IGNF:LAMB93': { kind: 'authority', authority: 'IGNF', code: 'LAMB93', srid: null },
  'IAU_2015:30100': /another body/,
  'compound EPSG:7405': srid(7405),
  'compound a+b': 'text',
  'urn compound': 'text',
  '3D EPSG:4979': srid(4979),
  'geocentric 4978': /geocentric/,
  'vertical 5701': /vertical/,
  name: 'text',
  'esri name': 'text',
  'proj str': 'text',
  'proj str no type': 'text',
  '+init': srid(27700),
  'proj pipeline': /operation/,
  wkt1: 'text',
  'wkt1 esri': 'text',
  wkt2: 'text',
  'wkt2 compound': 'text',
  'wkt1 compound': 'text',
  projjson: 'text',
  'wkt2 4326': 'text',
  'bound wkt2': 'text',
  'geodatabase LOCAL_CS': /local/,
  empty: { kind: 'none' },
  // Only the database can tell a name that is none: PROJ refuses it, and the verdict is unknown_crs.
  junk: 'text',
  'null bytes': srid(4326),
  spaces: srid(4326),
};

describe('the forms in which sources write a CRS', () => {
  it.each(Object.entries(EXPECTED))('%s', (name, expected) => {
    const text = forms[name as FormName];
    const claim = readClaim(text);
    if (expected === 'text') expect(claim).toEqual({ kind: 'text', text });
    else if (expected instanceof RegExp)
      expect(claim).toEqual({ kind: 'refused', reason: expect.stringMatching(expected) });
    else expect(claim).toEqual(expected);
  });

  it('every form of the fixture has an expectation', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(forms).sort());
  });

  it.each([
    ['SRID=27700', 27700],
    ['EPSG::27700', 27700],
    ['EPSG: 27700', 27700],
    ['27700.0', 27700],
    ['0004326', 4326],
    ['urn:ogc:def:crs:epsg::3857', 3857],
    ['urn:opengis:def:crs:EPSG::3857', 3857],
    ['URN:OGC:DEF:CRS:EPSG:6.9:3857', 3857],
    ['http://opengis.net/def/crs/EPSG/9.8.6/3857/', 3857],
    ['http://www.opengis.net/gml/srs/epsg#3857', 3857],
    ['https://epsg.io/27700', 27700],
    ['https://spatialreference.org/ref/epsg/27700/', 27700],
    ['+init=EPSG:27700 +no_defs +type=crs', 27700],
    ['init=epsg:27700', 27700],
    ["{'init': 'epsg:27700'}", 27700],
    ["{u'init': u'epsg:27700', 'no_defs': True}", 27700],
    ['{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::27700"}}', 27700],
    ['{"wkid":102100,"latestWkid":3857}', 3857],
    ['\ufeffEPSG:4326\r\n', 4326],
    ['\0\0 4326\t\0', 4326],
  ])('%j is EPSG:%i', (text, code) => {
    expect(readClaim(text)).toEqual(srid(code));
  });

  it('Esri codes of ArcGIS and OGC codes keep their authority', () => {
    expect(readClaim('{"wkid":54009}')).toEqual({ kind: 'authority', authority: 'ESRI', code: '54009', srid: null });
    expect(readClaim('ogc:crs83')).toEqual({ kind: 'authority', authority: 'OGC', code: 'CRS83', srid: 4269 });
    expect(readClaim('IAU_2015:39900')).toMatchObject({ kind: 'authority' });
  });

  it('+init with a datum shift is no longer that code', () => {
    expect(readClaim('+init=epsg:27700 +towgs84=1,2,3')).toMatchObject({ kind: 'text' });
  });

  it('a claim of nothing but blanks is none', () => {
    for (const text of [null, '', '  ', '\0\0', '\t\n\ufeff']) expect(readClaim(text)).toEqual({ kind: 'none' });
  });
});

describe('claims that cannot place x and y', () => {
  it.each([
    ['None', /names no CRS/],
    ['NaN', /names no CRS/],
    ['???', /names no CRS/],
    ['0', /unknown/],
    ['EPSG:0', /unknown/],
    ['-1', /number -1/],
    ['EPSG:abc', /not an EPSG code/],
    ['EPSG:99999999999', /not an EPSG code/],
    ['1.5e3', /number/],
    ['12;34', /no letter/],
    ['EPSG:4326\0EPSG:3857', /control/],
    ['<gml:srs>', /XML/],
    ['EPSG:3855', /vertical/],
    ['EPSG:7789', /geocentric/],
    ['VERTCRS["x",VDATUM["y"],CS[vertical,1],AXIS["H",up]]', /vertical/],
    ['GEOCCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]]]', /geocentric/],
    [
      'GEODCRS["WGS 84",DATUM["W",ELLIPSOID["WGS 84",6378137,298.2]],CS[Cartesian,3],AXIS["X",geocentricX]]',
      /geocentric/,
    ],
    ['ENGCRS["site",EDATUM["x"],CS[Cartesian,2],AXIS["x",east],AXIS["y",north]]', /local/],
    ['PROJCS["OSGB36",GEOGCS["OSGB36",DATUM["O"', /cut off: 3 of 3/],
    ['GEOGCS["Moon",DATUM["D_Moon",SPHEROID["Moon",1737400,0]],PRIMEM["R",0],UNIT["Degree",0.017]]', /1737 km/],
    ['+proj=longlat +a=3396190 +b=3376200 +no_defs', /3396 km/],
    ['+proj=eqc +R=1737400', /1737 km/],
    ['+proj=geocent +datum=WGS84', /geocentric/],
    ['+proj=cart +ellps=WGS84', /geocentric/],
    ['ESRI:115700', /vertical/],
    ['ESRI:104905', /another body/],
    ['EPSG:104905', /another body/],
    ['AUTO:42001', /map request/],
    ['{"type":"VerticalCRS","name":"x"}', /VerticalCRS/],
    ['{"type":"Transformation","name":"x"}', /Transformation/],
    ['{"type":"ProjectedCRS","base_crs":{"datum":{"ellipsoid":{"name":"Mars","radius":3396190}}}}', /3396 km/],
    ['{"type":"GeodeticCRS","coordinate_system":{"subtype":"Cartesian"}}', /geocentric/],
    ['{"a":1}', /neither/],
    ['{broken', /not/],
    ['x'.repeat(70_000), /70000 characters/],
  ])('%j is refused', (text, reason) => {
    expect(readClaim(text)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });

  it('an ellipsoid in feet is measured in metres', () => {
    const feet = 'GEOGCRS["c",DATUM["d",ELLIPSOID["Clarke",20926348,294.26,LENGTHUNIT["foot",0.3047997]]]]';
    expect(readClaim(feet)).toEqual({ kind: 'text', text: feet });
  });

  it('a bracket inside quotes does not count', () => {
    const quoted = 'GEOGCS["a [ b",DATUM["d",SPHEROID["s",6378137,298]],UNIT["Degree",0.017]]';
    expect(readClaim(quoted)).toMatchObject({ kind: 'text' });
  });
});

describe('any text', () => {
  it('gives a claim, never an exception, and text is handed on as it came', () => {
    const piece = fc.constantFrom(
      'EPSG',
      ':',
      '4326',
      'urn:ogc:def:crs:',
      '+proj=',
      '+init=',
      '[',
      '"',
      '{',
      '}',
      '(',
      ' ',
      '\0',
      'CS[',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (claimed) => {
        const claim = readClaim(claimed);
        if (claim.kind === 'text') expect(claimed).toContain(claim.text);
        if (claim.kind === 'srid') expect(Number.isSafeInteger(claim.code) && claim.code > 0).toBe(true);
        expect(projText(claim) === null).toBe(claim.kind === 'none' || claim.kind === 'refused');
      }),
      { numRuns: 5000 },
    );
  });

  it('long hostile texts are read in linear time', () => {
    const before = process.cpuUsage();
    for (const part of ['[', '"', ' ', '+a=', '{"a":', 'SPHEROID["",1', 'crs:', '1.', '\0'])
      readClaim(`PROJCS${part.repeat(65_000 / part.length - 10)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  it('is given to PROJ by authority and code where it is nothing else', () => {
    expect(projText(readClaim('urn:ogc:def:crs:EPSG::27700'))).toBe('EPSG:27700');
    expect(projText(readClaim('CRS:84'))).toBe('OGC:CRS84');
    expect(projText(readClaim(forms['proj str']))).toBe(forms['proj str']);
    expect(projText(readClaim('EPSG:5701'))).toBeNull();
  });
});
