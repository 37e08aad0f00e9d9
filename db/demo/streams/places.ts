import type { Geometry, Position } from 'geojson';
import proj4 from 'proj4';
import type { Random } from '../random';
import { type City, citiesOf, countiesOf, mainRing } from '../sources/atlas';
import { trueDefinition } from '../sources/crs-registry';
import { type Damage, extractWkb } from '../sources/extract';
import { parcelShape } from '../sources/parcel-shape';
import { tileAt } from '../tiles';
import { mapVertices } from '../vertices';
import { NO_SOURCE, type Work } from '../work';
import { digits, many, type Stream, type Unit } from './stream';

/** Buildings of Italian towns, delivered in the codes with the Rome meridian that EPSG has deprecated. */
function italianBuilding(random: Random): Unit {
  const city = random.pick(citiesOf('IT').filter(({ lat }) => lat > 37.5));
  const code = city.lon < 12 ? 'EPSG:26591' : 'EPSG:26592';
  const key = `buildings/IT/${city.id}/${digits(random, 4)}`;
  const shape = shapeAt(city, random);
  // The Rome codes and their replacements share their grid: the numbers are the same.
  const forward = proj4('EPSG:4326', trueDefinition(city.lon < 12 ? 'EPSG:3003' : 'EPSG:3004'));
  const geometry = mapVertices(shape, (vertex) => forward.forward([...vertex]));
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'reproject_parcels',
      geom_wkb: extractWkb(geometry, version),
      srid: Number(code.slice(5)),
      src_crs: code,
      target_crs: 'EPSG:3857',
      source_uris: ['https://catasto.example.org/edifici.zip'],
      ...tileAt(city.lon, city.lat, 14),
      params: {
        provider: 'Catasto',
        layer: 'edifici',
        feature_id: Number(city.id),
        layer_crs_name: code,
        layer_unit: 'm',
        axis_order: 'xy',
        densify_m: 25,
        resampling: 'none',
        keep_attributes: true,
      },
    }),
  };
}

/** Points of interest in south-east Asia whose job says EPSG:3854 (a county of Sweden) where 3857 was meant. */
function farPoint(random: Random): Unit {
  const city = random.pick(citiesOf(random.pick(['BN', 'MY', 'ID', 'PH'])));
  const key = `pois/${city.country}/${city.id}`;
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'reproject_parcels',
      geom_wkb: extractWkb({ type: 'Point', coordinates: [city.lon, city.lat] }, version),
      srid: 4326,
      src_crs: 'EPSG:4326',
      target_crs: 'EPSG:3854',
      source_uris: ['https://places.example.org/asia.ndjson'],
      ...tileAt(city.lon, city.lat, 12),
      params: {
        provider: 'Places',
        layer: 'pois',
        feature_id: Number(city.id),
        layer_crs_name: 'WGS 84',
        layer_unit: 'degree',
        axis_order: 'xy',
        densify_m: 0,
        resampling: 'none',
        keep_attributes: false,
      },
    }),
  };
}

/** Noise zones round places; the compact extract of 2.13.4 leaves their rings open. */
function noiseZone(random: Random): Unit {
  const city = random.pick(citiesOf(random.pick(['US', 'US', 'DE', 'FR', 'AU', 'BR'])));
  const shape = shapeAt(city, random);
  const key = `noise/${city.country}/${city.id}/${digits(random, 3)}`;
  const bad = random.next();
  const damage: Damage = bad < 0.03 ? { empty_vertex: random.whole(1, 3) } : bad < 0.05 ? { cut_at: 0.7 } : {};
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'buffer',
      geom_wkb: extractWkb(shape, version, { compact: true, damage }),
      srid: 4326,
      src_crs: 'EPSG:4326',
      source_uris: [`https://noise.example.org/${city.country.toLowerCase()}/roads.fgb`],
      ...tileAt(city.lon, city.lat, 13),
      params: {
        distance_m: random.pick([50, 100, 250]),
        utm_zone: Math.min(60, Math.floor((city.lon + 180) / 6) + 1),
        south: city.lat < 0,
        quadrant_segments: 8,
        cap: 'round',
        join: 'round',
        dissolve: false,
        place: city.name,
      },
    }),
  };
}

/** A lot in the manner of an Ohio county's lines, at a city. */
function shapeAt(city: City, random: Random): Geometry {
  const place: Position = [city.lon + random.between(-0.02, 0.02), city.lat + random.between(-0.02, 0.02)];
  return parcelShape(mainRing(random.pick(countiesOf('39'))), place, random);
}

export const PLACE_STREAMS: readonly Stream[] = [
  {
    name: 'Italian buildings',
    again: 0.4,
    units: (_, random) => many(1.8, random, () => italianBuilding(random)),
  },
  { name: 'points of interest', again: 0.4, units: (_, random) => many(0.8, random, () => farPoint(random)) },
  { name: 'noise zones', again: 0.3, units: (_, random) => many(13, random, () => noiseZone(random)) },
];
