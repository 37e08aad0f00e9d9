import { describe, expect, it } from 'vitest';
import { readClaim } from '@/lib/crs/claim';
import { allCrs } from '@/lib/crs/registry/registry';

const DATUM = 'DATUM["d",SPHEROID["b",6377397.155,299.15]';
const bound = (file: string) => ({
  type: 'BoundCRS',
  source_crs: { type: 'GeographicCRS', name: 'x' },
  transformation: { parameters: [{ name: 'Latitude and longitude difference file', value: file }] },
});

describe('a claim that would have the database open a file is refused', () => {
  it.each([
    '+proj=longlat +ellps=bessel +nadgrids=/etc/passwd +no_defs',
    '+proj=longlat +ellps=bessel +nadgrids=@/dev/tty',
    '+proj=longlat +ellps=bessel +nadgrids="/a pipe"',
    '+proj=longlat +ellps=bessel +nadgrids=" /a"',
    '+proj=longlat +ellps=bessel +nadgrids=null,../../pipe',
    '+proj=longlat +ellps=bessel +nadgrids=~/pipe',
    '+proj=longlat +ellps=bessel +nadgrids=C:\\pipe',
    '+proj=longlat +nadgrids=https://example.com/x.tif',
    '+proj=longlat +nadgrids=2/pipe',
    'lat_0=1 proj=longlat nadgrids=/pipe',
    'nadgrids=/pipe proj=longlat',
    '+proj=utm +zone=31 +geoidgrids=/pipe',
    '+init=/pipe:abc +type=crs',
    'init=file:abc',
    '+title=x +init=epsg:4326/../pipe',
    '+init=epsg:4326 +init=/pipe:abc',
    `GEOGCS["x",${DATUM},EXTENSION["PROJ4_GRIDS","/pipe"]],PRIMEM["Greenwich",0],UNIT["degree",0.0174]]`,
    `PROJCS["x / y",GEOGCS["x",${DATUM}],PRIMEM["Greenwich",0],UNIT["degree",0.0174]],EXTENSION["PROJ4","+proj=longlat +nadgrids=/pipe"]]`,
    `BOUNDCRS[SOURCECRS[GEOGCRS["x"]],ABRIDGEDTRANSFORMATION["t",METHOD["NTv2"],parameterfile["a""b","../pipe"]]]`,
    JSON.stringify(bound('/pipe')),
    JSON.stringify(bound('../pipe')),
    JSON.stringify({ wkt: `GEOGCS["x",${DATUM},EXTENSION["PROJ4_GRIDS","/pipe"]]]` }),
  ])('%s', (claim) => {
    expect(readClaim(claim)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/file/) });
  });

  it('also where it lies deeper than a definition is read', () => {
    let nested: unknown = bound('/pipe');
    for (let depth = 0; depth < 40; depth++) nested = { type: 'BoundCRS', source_crs: nested };
    expect(readClaim(JSON.stringify(nested)).kind).toBe('refused');
  });
});

describe('a claim that names no file by its path is given to PROJ', () => {
  it.each([
    '+proj=longlat +ellps=bessel +nadgrids=@null +no_defs',
    '+proj=longlat +ellps=bessel +nadgrids=BETA2007.gsb',
    '+proj=lcc +lat_1=1 +lat_2=2 +to_meter=1200/3937',
    '+title=ETRS89 / UTM zone 32N +proj=utm +zone=32',
    'PROJCS["WGS 84 / Pseudo-Mercator",EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +nadgrids=@null"]]',
    'PROJCS["NAD83(HARN)/x",GEOGCS["a/b"]]',
    JSON.stringify(bound('BETA2007.gsb')),
  ])('%s', (claim) => {
    expect(readClaim(claim).kind).toBe('text');
  });

  it('nor is any definition of the registry', () => {
    const refused = allCrs().filter(({ proj }) => proj !== null && readClaim(proj).kind === 'refused');
    expect(refused.map(({ id }) => id)).toEqual([]);
  });
});
