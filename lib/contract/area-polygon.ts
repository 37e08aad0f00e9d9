import { z } from 'zod';

/** [lon, lat] in degrees. */
export type LonLat = [number, number];

/** What the condition `polygon` takes, as its errors say it. */
export const POLYGON_FORM = 'takes 3 to 500 vertices as “lon,lat lon,lat lon,lat”, in degrees';

/**
 * The ring of the condition `polygon`, in degrees; its last vertex is joined to the first. Edges are straight on a map of
 * longitudes and latitudes. Over the 180° meridian the longitudes count on (175, 185), as on a map that was turned.
 */
export const polygonSchema = z.array(z.tuple([z.number(), z.number()]), POLYGON_FORM).superRefine((ring, context) => {
  const problem = polygonProblem(ring);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

/** What GEOS needs to make a ring valid grows with its crossings: seconds for the 40,000 of 500 random vertices. */
const MOST_CROSSINGS = 200;

/** How often the edges of a ring properly cross, counted to just over the most. */
function crossings(ring: readonly LonLat[]): number {
  const next = (index: number) => ring[(index + 1) % ring.length] as LonLat;
  let count = 0;
  for (let i = 0; i < ring.length; i++)
    for (let j = i + 2; j < ring.length && count <= MOST_CROSSINGS; j++)
      if (cross(ring[i] as LonLat, next(i), ring[j] as LonLat, next(j))) count++;
  return count;
}

function cross(a: LonLat, b: LonLat, c: LonLat, d: LonLat): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** On which side of a → b the point lies: the sign. */
function side([ax, ay]: LonLat, [bx, by]: LonLat, [x, y]: LonLat): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}

/** Why a ring is not taken, or null. It may cross itself: the SQL makes it valid. */
export function polygonProblem(ring: readonly LonLat[]): string | null {
  if (ring.length < 3 || ring.length > 500) return `${POLYGON_FORM}, not ${ring.length}`;
  for (const [lon, lat] of ring) {
    if (!(Math.abs(lon) <= 540)) return `${POLYGON_FORM}; longitudes lie within ±540, ${lon} does not`;
    if (!(Math.abs(lat) <= 90)) return `${POLYGON_FORM}; latitudes lie within ±90, ${lat} does not`;
  }
  const steps = ring.map(([lon], index) => (ring[(index + 1) % ring.length] as LonLat)[0] - lon);
  const far = steps.findIndex((step) => Math.abs(step) > 180);
  if (far >= 0) {
    // the short way round at each step: what does not come back to where it began goes round a pole
    const turned = steps.reduce((sum, step) => sum + step - 360 * Math.round(step / 360), 0);
    if (Math.abs(turned) > 1) return 'goes round a pole, which no polygon of longitudes and latitudes can hold';
    const from = ring[far] as LonLat;
    const to = ring[(far + 1) % ring.length] as LonLat;
    return `has neighbours over 180° apart (${from} and ${to}): put a vertex between them, or count on over the 180° meridian (179, 181)`;
  }
  if (crossings(ring) > MOST_CROSSINGS) return `crosses itself more than ${MOST_CROSSINGS} times`;
  const lons = ring.map(([lon]) => lon);
  if (Math.max(...lons) - Math.min(...lons) > 360) return 'is wider than the world (360°)';
  return null;
}

/** Reads `lon,lat lon,lat …`; what is no number comes back as NaN, which `polygonProblem` names. */
export function polygonFromText(text: string): number[][] {
  return text
    .trim()
    .split(/[\s;]+/)
    .map((pair) => pair.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part) + 0)));
}

export function polygonText(ring: readonly LonLat[]): string {
  return ring.map(([lon, lat]) => `${lon + 0},${lat + 0}`).join(' ');
}
