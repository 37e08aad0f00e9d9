import { allCrs, type CrsRecord, crsOf } from '@/lib/crs/registry/registry';
import { AS_IT_IS, type Draft, type Point } from './draft';
import { anyProjected, PROJECTED, targetAt } from './mismatches';
import type { Random } from './random';

/** What must raise no alarm, and how often of 100. */
const WEIGHTS = {
  'any CRS': 22,
  'northing first, stored x,y': 10,
  'Landsat, negative northing': 6,
  'UTM beyond its zone': 6,
  'edge of the area of use': 10,
  'near 180°': 5,
  'whole world': 3,
  'degrees of any datum': 8,
  'longitude from 0 to 360': 2,
  'tile one off': 8,
  'larger than its tile': 5,
  'claim in words': 8,
  'SRID of the same meaning': 4,
  'deprecated and right': 3,
} as const;
export type SoundKind = keyof typeof WEIGHTS;

export const SOUND_KINDS = Object.keys(WEIGHTS) as SoundKind[];
const TOTAL = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0);

const NORTHING_FIRST = PROJECTED.filter(({ axis_order }) => axis_order === 'north_east');
const UTM = PROJECTED.filter(({ name }) => /^WGS 84 \/ UTM zone \d+[NS]$/.test(name));
const UTM_NORTH = UTM.filter(({ name }) => name.endsWith('N'));
const GEOGRAPHIC = allCrs().filter(
  ({ kind, id, area, deprecated }) => kind === 'geographic_2d' && id.startsWith('EPSG:') && area && !deprecated,
);
const DEPRECATED = allCrs().filter(({ kind, deprecated, area }) => kind === 'projected' && deprecated && area);
const NEAR_180 = PROJECTED.filter(({ area }) => area && (area[0] > area[2] || area[0] < -178 || area[2] > 178));
/** Two numbers, or a number and a text, with one meaning. */
const SAME: [text: string, srid: number, crs: string][] = [
  ['OGC:CRS84', 4326, 'EPSG:4326'],
  ['urn:ogc:def:crs:OGC:1.3:CRS84', 4326, 'EPSG:4326'],
  ['EPSG:900913', 3857, 'EPSG:3857'],
  ['ESRI:102100', 3857, 'EPSG:3857'],
  ['EPSG:3785', 3857, 'EPSG:3857'],
  ['EPSG:3857', 3785, 'EPSG:3857'],
  ['EPSG:4258', 4326, 'EPSG:4258'],
];

export function drawSoundKind(random: Random): SoundKind {
  let left = random.next() * TOTAL;
  for (const kind of SOUND_KINDS) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return SOUND_KINDS[0] as SoundKind;
}

export function draftSound(kind: SoundKind, random: Random): Draft | null {
  const sound = (truth: CrsRecord, place?: Point): Draft | null => {
    if (!truth.area) return null;
    const places = random.geometryAt(place ?? random.placeIn(truth.area));
    const target_crs = random.chance(0.3)
      ? random.pick(['EPSG:4326', 'EPSG:3857', targetAt(random, places[0] as Point)])
      : null;
    const srid = random.chance(0.5) && truth.id.startsWith('EPSG:') ? Number(truth.id.slice(5)) : null;
    const tile = random.chance(0.3) ? null : { zoom: random.whole(0, 18), off: [0, 0] as [number, number] };
    return { kind, truth, places, src_crs: truth.id, srid, target_crs, damage: AS_IT_IS, tile };
  };
  switch (kind) {
    case 'any CRS':
      return sound(anyProjected(random));
    case 'northing first, stored x,y':
      return sound(random.pick(NORTHING_FIRST));
    case 'Landsat, negative northing': {
      const crs = random.pick(UTM_NORTH);
      const [west = 0, , east = 0] = crs.area ?? [];
      return sound(crs, random.placeIn([west, -55, east, -0.5]));
    }
    case 'UTM beyond its zone': {
      const crs = random.pick(UTM);
      const [west = 0, south = 0, east = 0, north = 0] = crs.area ?? [];
      const away = random.between(0, 4.5);
      return sound(crs, [
        turned(random.chance(0.5) ? west - away : east + away),
        random.between(south, Math.min(80, north)),
      ]);
    }
    case 'edge of the area of use': {
      const crs = anyProjected(random);
      if (!crs.area) return null;
      const [west, south, east, north] = crs.area;
      const [lon, lat] = random.placeIn(crs.area);
      const away = random.between(-0.2, 1.5);
      const edges: Point[] = [
        [turned(west - away), lat],
        [turned(east + away), lat],
        [lon, Math.max(-84, south - away)],
        [lon, Math.min(84, north + away)],
      ];
      return sound(crs, random.pick(edges));
    }
    case 'near 180°': {
      const crs = random.chance(0.3) ? (crsOf('EPSG:4326') as CrsRecord) : random.pick(NEAR_180);
      if (!crs.area) return null;
      const [, south, , north] = crs.area;
      return sound(crs, [
        turned(180 + random.between(-0.5, 0.5)),
        random.between(Math.max(-84, south), Math.min(84, north)),
      ]);
    }
    case 'whole world': {
      const draft = sound(random.pick([crsOf('EPSG:4326'), crsOf('EPSG:3857')]) as CrsRecord, [0, 0]);
      const north = random.between(60, 85);
      return (
        draft && {
          ...draft,
          target_crs: null,
          places: [
            [-180, -north],
            [180, -north],
            [180, north],
            [-180, north],
            [-180, -north],
          ],
          tile: draft.tile && { zoom: random.whole(0, 3), off: [0, 0] },
        }
      );
    }
    case 'degrees of any datum':
      return sound(random.pick(GEOGRAPHIC));
    case 'longitude from 0 to 360': {
      const draft = sound(crsOf('EPSG:4326') as CrsRecord);
      return draft && { ...draft, damage: ([x, y]) => [x < 0 ? x + 360 : x, y] };
    }
    case 'tile one off': {
      const off = random.pick([
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, 1],
        [2, 0],
        [0, -2],
      ] as [number, number][]);
      const draft = sound(random.chance(0.2) ? (crsOf('EPSG:4326') as CrsRecord) : anyProjected(random));
      return draft && { ...draft, tile: { zoom: random.whole(4, 16), off } };
    }
    case 'larger than its tile': {
      const draft = sound(anyProjected(random));
      return draft && { ...draft, tile: { zoom: random.whole(12, 18), off: [0, 0] } };
    }
    case 'claim in words': {
      const draft = sound(anyProjected(random));
      return draft && { ...draft, src_crs: worded(draft.truth, random), srid: null };
    }
    case 'SRID of the same meaning': {
      const [src_crs, srid, crs] = random.pick(SAME);
      const draft = sound(crsOf(crs) as CrsRecord);
      return draft && { ...draft, src_crs, srid };
    }
    case 'deprecated and right':
      return sound(random.pick(DEPRECATED));
  }
}

const turned = (lon: number): number => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);

/** `wkt:` and `proj:` stand for the database's own text of the CRS, filled in when it is asked. */
function worded({ id, name }: CrsRecord, random: Random): string {
  const [authority, code] = id.split(':');
  return random.pick([
    `urn:ogc:def:crs:${authority}::${code}`,
    `http://www.opengis.net/def/crs/${authority}/0/${code}`,
    authority === 'EPSG' ? (code as string) : id,
    name,
    `wkt:${code}`,
    `proj:${code}`,
  ]);
}
