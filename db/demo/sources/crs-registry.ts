import { atLeast } from '../versions';
import type { Bbox } from '../vertices';

/** A CRS as the pipeline knows it. Texts are PROJ's, names and areas of use EPSG's (degrees). */
export interface KnownCrs {
  code: string;
  name: string;
  proj: string;
  area_of_use: Bbox;
  /** The code that EPSG put in its place, for deprecated ones. */
  replaced_by?: string;
}

const lccUs = (standard: string, unit: string, x0 = 600000) =>
  `+proj=lcc ${standard} +x_0=${x0} +y_0=0 +datum=NAD83 +units=${unit} +no_defs`;
const OHIO_NORTH = '+lat_1=41.7 +lat_2=40.43333333333333 +lat_0=39.66666666666666 +lon_0=-82.5';
const OHIO_SOUTH = '+lat_1=40.03333333333333 +lat_2=38.73333333333333 +lat_0=38 +lon_0=-82.5';
const PENNSYLVANIA_NORTH = '+lat_1=41.95 +lat_2=40.88333333333333 +lat_0=40.16666666666666 +lon_0=-77.75';
const LONG_ISLAND = '+lat_1=41.03333333333333 +lat_2=40.66666666666666 +lat_0=40.16666666666666 +lon_0=-74';
const monteMario = (lon0: number, x0: number) =>
  `+proj=tmerc +lat_0=0 +lon_0=${lon0} +k=0.9996 +x_0=${x0} +y_0=0 +ellps=intl +towgs84=-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68 +units=m +no_defs`;

const KNOWN: readonly KnownCrs[] = [
  { code: 'EPSG:4326', name: 'WGS 84', proj: '+proj=longlat +datum=WGS84 +no_defs', area_of_use: [-180, -90, 180, 90] },
  {
    code: 'EPSG:3857',
    name: 'WGS 84 / Pseudo-Mercator',
    proj: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
    area_of_use: [-180, -85.06, 180, 85.06],
  },
  {
    code: 'EPSG:3734',
    name: 'NAD83 / Ohio North (ftUS)',
    proj: lccUs(OHIO_NORTH, 'us-ft'),
    area_of_use: [-84.81, 40.1, -80.51, 42.33],
  },
  {
    code: 'EPSG:32122',
    name: 'NAD83 / Ohio North',
    proj: lccUs(OHIO_NORTH, 'm'),
    area_of_use: [-84.81, 40.1, -80.51, 42.33],
  },
  {
    code: 'EPSG:3735',
    name: 'NAD83 / Ohio South (ftUS)',
    proj: lccUs(OHIO_SOUTH, 'us-ft'),
    area_of_use: [-84.83, 38.4, -80.7, 40.36],
  },
  {
    code: 'EPSG:32123',
    name: 'NAD83 / Ohio South',
    proj: lccUs(OHIO_SOUTH, 'm'),
    area_of_use: [-84.83, 38.4, -80.7, 40.36],
  },
  {
    code: 'EPSG:2271',
    name: 'NAD83 / Pennsylvania North (ftUS)',
    proj: lccUs(PENNSYLVANIA_NORTH, 'us-ft'),
    area_of_use: [-80.53, 40.6, -74.7, 42.53],
  },
  {
    code: 'EPSG:32128',
    name: 'NAD83 / Pennsylvania North',
    proj: lccUs(PENNSYLVANIA_NORTH, 'm'),
    area_of_use: [-80.53, 40.6, -74.7, 42.53],
  },
  {
    code: 'EPSG:2263',
    name: 'NAD83 / New York Long Island (ftUS)',
    proj: lccUs(LONG_ISLAND, 'us-ft', 300000),
    area_of_use: [-74.26, 40.47, -71.8, 41.3],
  },
  {
    code: 'EPSG:32118',
    name: 'NAD83 / New York Long Island',
    proj: lccUs(LONG_ISLAND, 'm', 300000),
    area_of_use: [-74.26, 40.47, -71.8, 41.3],
  },
  {
    code: 'EPSG:26916',
    name: 'NAD83 / UTM zone 16N',
    proj: '+proj=utm +zone=16 +datum=NAD83 +units=m +no_defs',
    area_of_use: [-90, 23.97, -84, 84],
  },
  {
    code: 'EPSG:26917',
    name: 'NAD83 / UTM zone 17N',
    proj: '+proj=utm +zone=17 +datum=NAD83 +units=m +no_defs',
    area_of_use: [-84, 23.81, -78, 84],
  },
  {
    code: 'EPSG:3854',
    name: 'County ST74',
    proj: '+proj=tmerc +lat_0=0 +lon_0=18.05787 +k=0.99999506 +x_0=100182.7406 +y_0=-6500620.1207 +ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
    area_of_use: [17.25, 58.69, 19.61, 60.27],
  },
  {
    code: 'EPSG:3003',
    name: 'Monte Mario / Italy zone 1',
    proj: monteMario(9, 1500000),
    area_of_use: [5.93, 36.53, 12, 47.04],
  },
  {
    code: 'EPSG:3004',
    name: 'Monte Mario / Italy zone 2',
    proj: monteMario(15, 2520000),
    area_of_use: [12, 34.76, 18.99, 47.1],
  },
  {
    code: 'EPSG:26591',
    name: 'Monte Mario (Rome) / Italy zone 1',
    proj: `${monteMario(-3.45233333333333, 1500000)} +pm=rome`,
    area_of_use: [5.93, 36.53, 12, 47.04],
    replaced_by: 'EPSG:3003',
  },
  {
    code: 'EPSG:26592',
    name: 'Monte Mario (Rome) / Italy zone 2',
    proj: `${monteMario(2.54766666666666, 2520000)} +pm=rome`,
    area_of_use: [12, 34.76, 18.99, 47.1],
    replaced_by: 'EPSG:3004',
  },
];

const BY_CODE = new Map(KNOWN.map((crs) => [crs.code, crs]));
const BY_NAME = new Map(KNOWN.map((crs) => [crs.name, crs]));

/** The registry entry of a code in a release: 2.12.9 dropped deprecated codes, 2.14.1 follows their replacement. */
export function knownCrs(code: string | null, version: string): KnownCrs | undefined {
  const crs = code === null ? undefined : BY_CODE.get(code);
  if (!crs?.replaced_by || !atLeast(version, '2.12.9')) return crs;
  return atLeast(version, '2.14.1') ? BY_CODE.get(crs.replaced_by) : undefined;
}

export function crsByName(name: string): KnownCrs | undefined {
  return BY_NAME.get(name);
}

/** The same CRS in US survey feet, where the registry has one: EPSG names it with the unit in brackets. */
export function twinInFeet(crs: KnownCrs): KnownCrs | undefined {
  return BY_NAME.get(`${crs.name} (ftUS)`);
}

/** PROJ text to make source data with; the pipeline never calls this. */
export function trueDefinition(code: string): string {
  const crs = BY_CODE.get(code);
  if (!crs) throw new RangeError(`no definition of ${code}`);
  return crs.proj;
}
