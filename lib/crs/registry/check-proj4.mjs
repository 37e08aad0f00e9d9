/**
 * Compares proj4 with PROJ on the lattice that generate.py wrote, in both directions, and writes proj4-exceptions.json:
 * the CRSs whose PROJ text proj4 gets wrong (null), or right with other words (the text to use instead).
 * usage: npx tsx check-proj4.mjs REGISTRY LATTICE
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { proj4Converter, wrappedLon } from './proj4-converter.ts';

const MAX_ERROR_M = 50;
/** PROJ's own noise at the pole of Mollweide is 113 m. */
const MAX_ERROR_AT_POLE_M = 150;
const EARTH_M = 6_371_000;
const RAD = Math.PI / 180;
/** The order and signs in which PROJ gives x,y for display; the text says those of the registry. */
const AXES = ['enu', 'neu', 'wsu', 'swu', 'wnu', 'nwu', 'esu', 'seu'];

/** Without these proj4 gives NaN for some, where PROJ takes them for 0. */
const ORIGIN = '+lon_0=0 +x_0=0 +y_0=0';

const [registry_file, lattice_file] = process.argv.slice(2);
const registry = JSON.parse(readFileSync(registry_file, 'utf8'));
const lattices = JSON.parse(readFileSync(lattice_file, 'utf8'));

function distanceM([lon, lat], [other_lon, other_lat]) {
  const d_lat = (other_lat - lat) * RAD;
  const d_lon = wrappedLon(other_lon - lon) * RAD;
  const h = Math.sin(d_lat / 2) ** 2 + Math.cos(lat * RAD) * Math.cos(other_lat * RAD) * Math.sin(d_lon / 2) ** 2;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Worst distance in metres over the lattice and both directions; Infinity where proj4 has no answer. */
function worstM(text, points, unit_m) {
  const converter = proj4Converter(text);
  if (!converter) return Infinity;
  let worst = 0;
  for (const [lon, lat, x, y] of points) {
    const place = converter.toLonLat(x, y);
    // The 180th meridian is both edges of a world map; which of the two is meant depends on the last bit.
    const own = [lon, ...(Math.abs(lon) === 180 ? [-lon] : [])].map((either) => converter.fromLonLat(either, lat));
    const is_pole = Math.abs(lat) === 90;
    // A pole is often a singularity: no answer is honest there, a wrong one is not.
    if (is_pole && (!place || own.includes(null))) continue;
    if (!place || own.includes(null)) return Infinity;
    const off_m = Math.min(...own.map((xy) => Math.hypot(xy[0] - x, xy[1] - y))) * unit_m;
    const error_m = Math.max(distanceM(place, [lon, lat]), off_m);
    if (!is_pole || error_m > MAX_ERROR_AT_POLE_M) worst = Math.max(worst, error_m);
  }
  return worst;
}

function variantsOf(text) {
  const plain = text.replace(/ ?\+axis=\w+/, '');
  return [plain, ...AXES.slice(1).map((axis) => `${plain} +axis=${axis}`), onAuthalicSphere(text), `${text} ${ORIGIN}`];
}

/** proj4 does not heed +R_A in every projection. */
function onAuthalicSphere(text) {
  return text.replace(/\+R_A (.*)\+ellps=WGS84/, '$1+R=6371007.1809184747');
}

const exceptions = {};
const counts = {};
const lost = [];
for (const [authority, rows] of Object.entries(registry.crs)) {
  const count = { projected: 0, no_lattice: 0, kept: 0, with_other_axis: 0, lost: 0 };
  counts[authority] = count;
  for (const [code, name, kind, , , , , unit, , method, text] of rows) {
    if (registry.kinds[kind] !== 'projected') continue;
    const id = `${authority}:${code}`;
    const points = lattices[id];
    count.projected++;
    if (!points) {
      count.no_lattice++;
      continue;
    }
    const [, unit_m] = registry.units[unit];
    const right = (words) => worstM(words, points, unit_m) < MAX_ERROR_M;
    const kept = (text ? [text, ...variantsOf(text)].find(right) : null) ?? null;
    if (text && kept !== text) exceptions[id] = kept;
    if (kept) {
      count.kept++;
      if (kept !== text) count.with_other_axis++;
    } else {
      count.lost++;
      const worst = text ? `${Math.round(worstM(text, points, unit_m))} m` : 'no PROJ text';
      lost.push(`${id} ${name}, ${registry.methods[method]}: ${worst}`);
    }
  }
}

const lines = Object.keys(exceptions).map((id) => `  ${JSON.stringify(id)}: ${JSON.stringify(exceptions[id])}`);
writeFileSync(path.join(import.meta.dirname, 'proj4-exceptions.json'), `{\n${lines.join(',\n')}\n}\n`);
process.stdout.write(`${JSON.stringify(counts, null, 1)}\n${lost.join('\n')}\n`);
