import type { Geometry } from 'geojson';
import { fromJts, intersection, isValid, toJts } from '../jts';
import type { Random } from '../random';
import { type Area, counties, mainRing } from '../sources/atlas';
import { extractWkb } from '../sources/extract';
import { tileAt } from '../tiles';
import { type Bbox, bboxOf, rectangle } from '../vertices';
import { NO_SOURCE, type Work } from '../work';
import { digits, many, type Stream, type Unit } from './stream';

const ZONES = ['R-1', 'R-2', 'C-1', 'A-1', 'I-2', 'PUD'] as const;
/** Grid of the block extract in degrees, about three kilometres: what 2.13.4 thought would do for zoning. */
const SNAP_DEG = 0.03;

/** The half of a county, cut out of its outline; the atlas has a few outlines that cross themselves: those stay whole. */
function blockOf(county: Area, half: 0 | 1): Geometry | undefined {
  const outline: Geometry = { type: 'Polygon', coordinates: [mainRing(county)] };
  if (!isSound(county.id, outline)) return outline;
  const [west, south, east, north] = bboxOf(outline);
  const middle = (west + east) / 2;
  const side: Bbox = half === 0 ? [west, south, middle, north] : [middle, south, east, north];
  const cut = fromJts(intersection(toJts(outline), toJts(rectangle(side))));
  if (cut.type === 'Polygon') return cut;
  if (cut.type !== 'MultiPolygon') return undefined;
  const largest = cut.coordinates.reduce((a, b) => ((b[0]?.length ?? 0) > (a[0]?.length ?? 0) ? b : a));
  return { type: 'Polygon', coordinates: largest };
}

/** Valid outlines, by county: checking one costs as much as cutting it. */
const sound = new Map<string, boolean>();
function isSound(id: string, outline: Geometry): boolean {
  let known = sound.get(id);
  if (known === undefined) {
    known = isValid(toJts(outline));
    sound.set(id, known);
  }
  return known;
}

function zoningBlock(random: Random): Unit | undefined {
  const county = random.pick(coastal(random));
  const half = random.chance(0.5) ? 0 : 1;
  const block = blockOf(county, half);
  if (block?.type !== 'Polygon') return undefined;
  const key = `zoning/${county.id.slice(0, 2)}/${county.id.slice(2)}/${half === 0 ? 'w' : 'e'}-${digits(random, 3)}`;
  const box = bboxOf(block);
  const [lon, lat] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const districts = districtsOf(box, random);
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'overlay_zoning',
      geom_wkb: extractWkb(block, version, { snap: SNAP_DEG }),
      srid: 4269,
      src_crs: 'EPSG:4269',
      source_uris: [`https://zoning.example.org/${county.id}/districts.gpkg`],
      ...tileAt(lon, lat, 10),
      params: {
        county: county.name,
        county_fips: county.id,
        districts,
        max_area_change: 0.0005,
        min_piece_m2: 100,
        snap_deg: SNAP_DEG,
        precision: 'floating',
      },
    }),
  };
}

/** Long outlines, most of them coasts, are where a coarse grid hurts; six of seven blocks come from there. */
function coastal(random: Random): Area[] {
  return random.chance(0.85) ? longOutlines() : counties();
}

let long: Area[] | undefined;
function longOutlines(): Area[] {
  long ??= counties().filter((county) => mainRing(county).length > 60);
  return long;
}

/** Three bands over the block; one town in a hundred has no code. */
function districtsOf([west, south, east, north]: Bbox, random: Random) {
  const at = [0, random.between(0.25, 0.4), random.between(0.6, 0.75), 1];
  return [0, 1, 2].map((i) => ({
    zone_code: random.chance(1 / 100) ? null : ` ${random.pick(ZONES).toLowerCase()}`,
    bbox: [west, south + (north - south) * (at[i] ?? 0), east, south + (north - south) * (at[i + 1] ?? 1)],
  }));
}

export const BLOCK_STREAMS: readonly Stream[] = [
  {
    name: 'zoning blocks',
    again: 0.35,
    units: (_, random) => many(31, random, () => zoningBlock(random)).filter((unit) => unit !== undefined),
  },
];
