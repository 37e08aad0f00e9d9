import { createRequire } from 'node:module';
// @ts-expect-error: it has no types of its own
import { geoContains } from 'd3-geo';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { seeded } from '@/db/demo/seeded';
import { lonSpan } from '@/lib/crs/geo-box';
import type { Bbox } from '@/lib/crs/registry/registry';
import type { Point } from './draft';

const atlas = createRequire(import.meta.url)('world-atlas/land-110m.json') as Topology;
const land = feature(atlas, atlas.objects.land as never) as unknown as GeoJSON.FeatureCollection;

/** Web Mercator's tiles end at 85.05°; beyond, no tile could hold the place. */
const MAX_LAT = 84.5;
/** "Near land" is land of the 1:110 m map within so many degrees. */
const NEAR = 0.7;
/** Small islands are not on that map: after so many tries any place will do. */
const TRIES = 12;

export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(seed);
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** A place near land in a box of degrees. */
  placeIn(box: Bbox): Point {
    let place: Point = [0, 0];
    for (let i = 0; i < TRIES; i++) {
      const lon = box[0] + lonSpan(box) * this.next();
      const lat = this.between(Math.max(-MAX_LAT, box[1]), Math.min(MAX_LAT, box[3]));
      place = [lon > 180 ? lon - 360 : lon, lat];
      if (isNearLand(place)) break;
    }
    return place;
  }

  /** A point (40 %), a line or a ring (30 % each) round a place, 50 m to 20 km across, in degrees. */
  geometryAt([lon, lat]: Point): Point[] {
    if (this.chance(0.4)) return [[lon, lat]];
    const radius = (50 * 400 ** this.next()) / 2 / 111_195;
    const stretch = 1 / Math.max(0.05, Math.cos((lat * Math.PI) / 180));
    const is_ring = this.chance(0.5);
    const count = this.whole(2, 24) + (is_ring ? 2 : 0);
    const start = this.next() * Math.PI * 2;
    const points = Array.from({ length: count }, (_, i): Point => {
      const angle = start + (is_ring ? (i / count) * Math.PI * 2 : this.next());
      const away = radius * (is_ring ? this.between(0.6, 1) : (i / count) * 2 - 1);
      return [lon + Math.cos(angle) * away * stretch, Math.max(-89, Math.min(89, lat + Math.sin(angle) * away))];
    });
    return is_ring ? [...points, points[0] as Point] : points;
  }
}

function isNearLand([lon, lat]: Point): boolean {
  for (const [across, up] of [
    [0, 0],
    [NEAR, 0],
    [-NEAR, 0],
    [0, NEAR],
    [0, -NEAR],
  ] as const)
    if (land.features.some((shape) => geoContains(shape, [lon + across, lat + up]))) return true;
  return false;
}
