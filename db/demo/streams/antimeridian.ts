import type { Geometry, Position } from 'geojson';
import { buffer, fromJts, intersection, toJts, union } from '../jts';
import type { Random } from '../random';
import { countries } from '../sources/atlas';
import { extractWkb } from '../sources/extract';
import { type Tile, tileAt } from '../tiles';
import { type Bbox, bboxOf, mapVertices, rectangle } from '../vertices';
import { NO_SOURCE, type Work } from '../work';
import { many, type Stream, type Unit } from './stream';

interface Outline {
  country: string;
  name: string;
  /** In one piece, longitudes from 0 to 360. */
  shape: Geometry;
}

/**
 * Land that the antimeridian crosses, whole again: the two halves of the atlas joined over 180°.
 * The far east of Russia, Wrangel Island, the Fijian islands, the waters round the Aleutians; and Antarctica with its
 * pole.
 */
function outlines(): Outline[] {
  made ??= [
    ...joined('643', 'Russia', [165, 60, 192, 72]),
    ...joined('242', 'Fiji', [176, -20, 183, -12]),
    ...joined('840', 'United States', [171, 50, 196, 56], AROUND_ISLANDS_DEG),
    ...whole('010', 'Antarctica'),
  ];
  return made;
}
let made: Outline[] | undefined;

/** The Aleutians lie on both sides of 180°, none of them on it; the waters this far round them do. */
const AROUND_ISLANDS_DEG = 0.9;

function joined(id: string, name: string, box: Bbox, around_deg = 0): Outline[] {
  const window = toJts(rectangle(box));
  const halves = polygonsOf(id)
    .map((rings): Geometry => ({ type: 'Polygon', coordinates: rings.map(eastOfGreenwich) }))
    .filter((polygon) => meets(polygon, box))
    .map((polygon) => intersection(toJts(polygon), window))
    .filter((polygon) => !polygon.isEmpty())
    .map((polygon) => (around_deg > 0 ? buffer(polygon, around_deg) : polygon));
  const [first, ...rest] = halves;
  if (!first) return [];
  const all = fromJts(rest.reduce(union, first));
  const parts = all.type === 'MultiPolygon' ? all.coordinates : all.type === 'Polygon' ? [all.coordinates] : [];
  return parts
    .map((coordinates): Geometry => ({ type: 'Polygon', coordinates }))
    .filter((shape) => crosses(shape))
    .map((shape) => ({ country: id, name, shape }));
}

function whole(id: string, name: string): Outline[] {
  const largest = polygonsOf(id).reduce((a, b) => ((b[0]?.length ?? 0) > (a[0]?.length ?? 0) ? b : a));
  return [{ country: id, name, shape: { type: 'Polygon', coordinates: largest } }];
}

function polygonsOf(id: string): Position[][][] {
  return countries().find((country) => country.id === id)?.polygons ?? [];
}

/** The western half moved over, so that both halves meet at 180°. The seam itself stays on 180°. */
function eastOfGreenwich(ring: Position[]): Position[] {
  const western = ring.some(([lon = 0]) => lon < -90 && lon > -179.999);
  const eastern = ring.some(([lon = 0]) => lon > 90);
  return ring.map(([lon = 0, lat = 0]) => [lon < 0 && (western || !eastern) ? lon + 360 : lon, lat]);
}

function meets(geometry: Geometry, [west, south, east, north]: Bbox): boolean {
  const box = bboxOf(geometry);
  return box[0] < east && box[2] > west && box[1] < north && box[3] > south;
}

function crosses(geometry: Geometry): boolean {
  const box = bboxOf(geometry);
  return box[0] < 179.999 && box[2] > 180.001;
}

/** Brings each longitude into −180…180 on its own, as the tiler always did: a ring over 180° then jumps across the map. */
function wrapped(geometry: Geometry): Geometry {
  return mapVertices(geometry, ([lon = 0, lat = 0]) => [((lon + 540) % 360) - 180, lat]);
}

function outlineTile(random: Random): Unit {
  const outline = random.pick(outlines());
  const tile = tileOver(outline, random);
  const key = `tiles/${tile.tile_z}/${tile.tile_x}/${tile.tile_y}/${outline.country}`;
  return {
    work_key: key,
    extract: (version): Work => ({
      ...NO_SOURCE,
      work_key: key,
      task_name: 'tile_clip',
      geom_wkb: extractWkb(outline.name === 'Antarctica' ? outline.shape : wrapped(outline.shape), version),
      srid: 4326,
      src_crs: 'EPSG:4326',
      target_crs: 'EPSG:3857',
      source_uris: ['https://boundaries.example.org/admin0/2026-09.fgb'],
      ...tile,
      params: {
        country: outline.name,
        country_id: outline.country,
        layer: 'admin0',
        buffer_px: 64,
        simplify_px: 0.5,
        extent: 4096,
        keep_empty: false,
      },
    }),
  };
}

/** A tile at the place of one of the outline's vertices. */
function tileOver({ shape, name }: Outline, random: Random): Tile {
  const ring = shape.type === 'Polygon' ? (shape.coordinates[0] ?? []) : [];
  const [lon = 0, lat = 0] = random.pick(ring);
  return tileAt(lon, lat, name === 'Antarctica' ? random.whole(2, 4) : random.whole(6, 11));
}

export const ANTIMERIDIAN_STREAMS: readonly Stream[] = [
  { name: 'country tiles', again: 0.45, units: (_, random) => many(3.8, random, () => outlineTile(random)) },
];
