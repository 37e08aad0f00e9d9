import { allCrs, type Bbox, type CrsRecord } from './registry';

/** Datum words of PROJ that stand for one geographic CRS, and the ellipsoid they imply. */
const DATUMS = new Map(
  Object.entries({
    WGS84: { base: 'EPSG:4326', ellps: 'WGS84' },
    NAD83: { base: 'EPSG:4269', ellps: 'GRS80' },
    NAD27: { base: 'EPSG:4267', ellps: 'clrk66' },
    OSGB36: { base: 'EPSG:4277', ellps: 'airy' },
    potsdam: { base: 'EPSG:4314', ellps: 'bessel' },
    ire65: { base: 'EPSG:4299', ellps: 'mod_airy' },
    nzgd49: { base: 'EPSG:4272', ellps: 'intl' },
    GGRS87: { base: 'EPSG:4121', ellps: 'GRS80' },
    carthage: { base: 'EPSG:4223', ellps: 'clrk80ign' },
    hermannskogel: { base: 'EPSG:4312', ellps: 'bessel' },
  }),
);
const UNITS_M = new Map(Object.entries({ m: 1, km: 1000, ft: 0.3048, 'us-ft': 1200 / 3937 }));
/** Words that do not move a point, or move it by a datum shift only. */
const IGNORED = new Set('no_defs type wktext over title vunits geoidgrids nadgrids towgs84 units datum'.split(' '));
const MERIDIANS = new Map(Object.entries({ greenwich: 0, paris: 2.33722917, ferro: -17.6666666667 }));
/** PROJ turns these to x,y for display; other directions stay as they are. */
const AXES_XY = ['enu', 'neu'];
const DEFAULTS = new Map(
  Object.entries({
    lat_0: 0,
    lon_0: 0,
    x_0: 0,
    y_0: 0,
    k: 1,
    pm: 0,
    to_meter: 1,
    lat_ts: 0,
  }),
);

let loaded: Map<string, CrsRecord[]> | null = null;

/**
 * The record that a PROJ string defines word for word, or null where none does, or several of different datums for
 * different areas. `+datum` names the base; without one, WGS 84 is preferred, as people mean it.
 */
export function recordByDefinition(text: string): CrsRecord | null {
  const words = wordsOf(text);
  const datum = DATUMS.get(words.get('datum') ?? '');
  if (words.has('datum') && !datum) return null;
  if (datum) words.set('ellps', datum.ellps);
  const key = keyOf(words);
  if (key === null) return null;
  loaded ??= readDefinitions();
  const all = loaded.get(key) ?? [];
  if (datum) return all.find((record) => baseOf(record) === datum.base) ?? null;
  return all.find((record) => baseOf(record) === 'EPSG:4326') ?? onlyOne(all);
}

/** The only one by its base, else that of EPSG whose area of use holds those of all the others. */
function onlyOne(all: readonly CrsRecord[]): CrsRecord | null {
  if (new Set(all.map(baseOf)).size === 1) return all[0] ?? null;
  const official = all.filter(({ id }) => id.startsWith('EPSG:'));
  return official.find((one) => official.every((other) => holds(one.area, other.area))) ?? null;
}

function holds(outer: Bbox | null, inner: Bbox | null): boolean {
  if (!outer || !inner) return false;
  const crosses = outer[0] > outer[2] || inner[0] > inner[2];
  if (crosses) return String(outer) === String(inner);
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}

function baseOf({ base, id }: CrsRecord): string {
  return base ?? id;
}

function readDefinitions(): Map<string, CrsRecord[]> {
  const definitions = new Map<string, CrsRecord[]>();
  for (const record of allCrs()) {
    const key = record.proj === null || record.deprecated ? null : keyOf(wordsOf(record.proj));
    if (key === null || record.kind === 'geographic_3d') continue;
    const same = definitions.get(key);
    if (same) same.push(record);
    else definitions.set(key, [record]);
  }
  // Of twins that differ in the order of axes only, the one whose order is x,y.
  for (const same of definitions.values())
    same.sort((a, b) => Number(b.axis_order === 'east_north') - Number(a.axis_order === 'east_north'));
  return definitions;
}

function wordsOf(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const word of text.trim().split(/\s+/)) {
    const [key, value] = word.replace(/^\+/, '').split('=', 2) as [string, string?];
    if (!words.has(key)) words.set(key === 'k_0' ? 'k' : key, value ?? '');
  }
  return words;
}

/** One text for all ways to write the same projection on the same ellipsoid; null where a word is not understood. */
function keyOf(words: Map<string, string>): string | null {
  const facts = new Map<string, string | number>();
  const unit_m = UNITS_M.get(words.get('units') ?? 'm');
  if (unit_m === undefined && !words.has('to_meter')) return null;
  facts.set('to_meter', unit_m ?? 1);
  for (const [key, value] of words) {
    if (IGNORED.has(key) || (key === 'axis' && AXES_XY.includes(value))) continue;
    const number = value === '' ? Number.NaN : Number(value);
    facts.set(key, Number.isNaN(number) ? value : number);
  }
  const pm = facts.get('pm');
  if (typeof pm === 'string') {
    const degrees = MERIDIANS.get(pm);
    if (degrees === undefined) return null;
    facts.set('pm', degrees);
  }
  writeZoneOut(facts);
  const [lat_1, lat_2] = [facts.get('lat_1'), facts.get('lat_2')];
  // Which of two standard parallels comes first makes no difference.
  if (typeof lat_1 === 'number' && typeof lat_2 === 'number' && facts.get('proj') !== 'omerc')
    facts.set('lat_1', Math.min(lat_1, lat_2)).set('lat_2', Math.max(lat_1, lat_2));
  return [...facts]
    .filter(([key, value]) => value !== DEFAULTS.get(key))
    .map(([key, value]) => `${key}=${typeof value === 'number' ? Number(value.toFixed(9)) : value}`)
    .sort()
    .join(' ');
}

/** A UTM zone is a transverse Mercator with five numbers given. */
function writeZoneOut(facts: Map<string, string | number>): void {
  const zone = facts.get('zone');
  if (facts.get('proj') !== 'utm' || typeof zone !== 'number') return;
  facts.set('proj', 'tmerc').set('lon_0', zone * 6 - 183);
  facts.set('k', 0.9996).set('x_0', 500_000);
  facts.set('y_0', facts.has('south') ? 10_000_000 : 0);
  facts.delete('zone');
  facts.delete('south');
}
