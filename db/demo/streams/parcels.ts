import type { Geometry, Position } from 'geojson';
import proj4 from 'proj4';
import type { Random } from '../random';
import { type Area, countiesOf, mainRing } from '../sources/atlas';
import { crsByName, trueDefinition } from '../sources/crs-registry';
import { claimOf, type Damage, extractWkb, type Layer } from '../sources/extract';
import { parcelShape, placeInside } from '../sources/parcel-shape';
import { tileAt } from '../tiles';
import { atLeast } from '../versions';
import { mapVertices } from '../vertices';
import { NO_SOURCE, type Work } from '../work';
import { digits, many, type Stream, slug, type Unit } from './stream';

/** A lot of a county, with the layer that delivers it. */
interface Lot {
  county: Area;
  key: string;
  place: Position;
  shape: Geometry;
  /** The code that the numbers are really in. */
  true_code: string;
  layer: Layer;
  /** The SRID that the provider's own bytes carry, where they carry one. */
  srid: number | null;
  feature_id: number;
  /** Third ordinate of every vertex, for counties that deliver ground heights. */
  elevation_ft: number | null;
  damage: Damage;
}

/** Of 100 feet lots: Ohio 80, northern Pennsylvania 13, Long Island 7. */
function feetCounty(random: Random): Area {
  const at = random.next();
  if (at < 0.8) return random.pick(countiesOf('39'));
  if (at < 0.93) return random.pick(countiesOf('42').filter((county) => latOf(county) > 40.9));
  return random.pick(countiesOf('36').filter(({ id }) => id === '36059' || id === '36103'));
}

function feetCode(county: Area): string {
  if (county.id.startsWith('42')) return 'EPSG:2271';
  if (county.id.startsWith('36')) return 'EPSG:2263';
  return latOf(county) > 40.2 ? 'EPSG:3734' : 'EPSG:3735';
}

function feetLot(random: Random): Lot {
  const county = feetCounty(random);
  const code = feetCode(county);
  // One county in eight delivers a .prj without a unit: nothing but its name says feet.
  const unit = Number(county.id) % 8 === 5 ? null : 'us-ft';
  return lot(county, code, { crs_name: NAMES[code] ?? code, unit, axis_order: 'xy' }, random);
}

/** From a WFS: 2.13.4 moved to WFS 2.0, whose EPSG:4326 is latitude first. */
function wfsLot(random: Random): Lot {
  const county = random.chance(0.75) ? random.pick(countiesOf('39')) : random.pick(countiesOf('18'));
  return lot(county, 'EPSG:4326', { crs_name: 'WGS 84', unit: 'degree', axis_order: 'yx' }, random);
}

/** Counties of zone 16 whose state's template says zone 17; the bytes carry the SRID that is true. */
function zoneLot(random: Random): Lot {
  const county = random.pick(countiesOf(random.pick(['18', '47', '21'])).filter((one) => lonOf(one) < -84.6));
  const layer: Layer = { crs_name: 'NAD83 / UTM zone 17N', unit: 'm', axis_order: 'xy' };
  return { ...lot(county, 'EPSG:26916', layer, random), srid: 26916 };
}

const TYPED_CRS = [
  'NAD_1983_StatePlane_Ohio_North_FIPS_3401_Feet',
  'Ohio North, US feet',
  'State Plane (see county engineer)',
  'NAD27 Ohio S',
  'EPSG::3734',
  'PROJCS["NAD83 / Ohio North","GEOGCS["NAD83"',
] as const;

/** Layers whose CRS somebody typed, and some that came without any. */
function typedLot(random: Random): Lot {
  const county = random.pick(countiesOf('39'));
  const crs_name = random.chance(0.3) ? null : random.pick(TYPED_CRS);
  return lot(county, feetCode(county), { crs_name, unit: null, axis_order: 'xy' }, random);
}

const NAMES: Record<string, string> = {
  'EPSG:3734': 'NAD83 / Ohio North (ftUS)',
  'EPSG:3735': 'NAD83 / Ohio South (ftUS)',
  'EPSG:2271': 'NAD83 / Pennsylvania North (ftUS)',
  'EPSG:2263': 'NAD83 / New York Long Island (ftUS)',
};

function lot(county: Area, true_code: string, layer: Layer, random: Random): Lot {
  const ring = mainRing(county);
  const place = placeInside(ring, random);
  const shape = parcelShape(ring, place, random);
  const vertices = shape.coordinates[0]?.length ?? 1;
  const damaged = random.next();
  const damage: Damage =
    damaged < 0.025
      ? { empty_vertex: random.whole(1, vertices - 2) }
      : damaged < 0.035
        ? { cut_at: random.between(0.3, 0.95) }
        : {};
  const key = `parcels/${county.id.slice(0, 2)}/${county.id.slice(2)}/${digits(random, 5)}`;
  const feature_id = random.whole(1000, 99_999);
  const elevation_ft = random.chance(0.06) ? random.whole(455, 1549) : null;
  return { county, key, place, shape, true_code, layer, srid: null, feature_id, elevation_ft, damage };
}

function unitOf(one: Lot): Unit {
  return { work_key: one.key, extract: (version) => workOf(one, version) };
}

function workOf(one: Lot, version: string): Work {
  const forward = proj4('EPSG:4326', trueDefinition(one.true_code));
  const swapped = one.layer.axis_order === 'yx' && atLeast(version, '2.13.4');
  const geometry = mapVertices(one.shape, (vertex) => {
    const [x = 0, y = 0] = forward.forward([...vertex]);
    const z = one.elevation_ft === null ? [] : [one.elevation_ft];
    return swapped ? [y, x, ...z] : [x, y, ...z];
  });
  const src_crs = claimOf(one.layer, version);
  const [lon = 0, lat = 0] = one.place;
  return {
    ...NO_SOURCE,
    work_key: one.key,
    task_name: 'reproject_parcels',
    geom_wkb: extractWkb(geometry, version, { damage: one.damage }),
    srid: one.srid ?? sridOf(src_crs),
    src_crs,
    target_crs: 'EPSG:3857',
    source_uris: [`https://gis.example.org/${slug(one.county.name)}/parcels.gpkg`],
    ...tileAt(lon, lat, 14),
    params: {
      provider: `${one.county.name} County`,
      layer: `parcels_${slug(one.county.name)}`,
      feature_id: one.feature_id,
      layer_crs_name: one.layer.crs_name,
      // Recorded since 2.13.4: what came before cannot say how its numbers were meant.
      ...(atLeast(version, '2.13.4') ? { layer_unit: one.layer.unit, axis_order: swapped ? 'yx' : 'xy' } : {}),
      densify_m: 25,
      resampling: 'none',
      keep_attributes: true,
    },
  };
}

function sridOf(claim: string | null): number | null {
  const code = claim?.match(/^EPSG:(\d+)$/)?.[1] ?? (claim && crsByName(claim)?.code.slice(5));
  return code ? Number(code) : null;
}

const latOf = (county: Area) => mean(mainRing(county).map(([, lat = 0]) => lat));
const lonOf = (county: Area) => mean(mainRing(county).map(([lon = 0]) => lon));
const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

const units =
  (rate: (night: number) => number, make: (random: Random) => Lot): Stream['units'] =>
  (night, random) =>
    many(rate(night), random, () => unitOf(make(random)));

export const PARCEL_STREAMS: readonly Stream[] = [
  { name: 'county parcels in feet', again: 0.75, units: units((night) => (night < 83 ? 40 : 375), feetLot) },
  { name: 'parcels by WFS', again: 0.6, units: units((night) => (night < 83 ? 6 : 38), wfsLot) },
  { name: 'parcels by zone template', again: 0.5, units: units(() => 1.4, zoneLot) },
  { name: 'parcels with typed CRS', again: 0.5, units: units(() => 1.5, typedLot) },
];
