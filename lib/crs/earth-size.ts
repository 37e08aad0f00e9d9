/**
 * Semi-major axes in metres that ellipsoids and spheres of the Earth have: 6,356 km to 6,379 km, with room. Another
 * body's CRS fails in PROJ and makes the next good transformation of that session fail too.
 */
const MIN_EARTH_M = 6_200_000;
const MAX_EARTH_M = 6_500_000;

const WKT_ELLIPSOID =
  /\b(?:SPHEROID|ELLIPSOID)\s*[[(]\s*"[^"]*"\s*,\s*([\d.eE+-]+)\s*,\s*[\d.eE+-]+(?:\s*,\s*LENGTHUNIT\s*[[(]\s*"[^"]*"\s*,\s*([\d.eE+-]+))?/gi;
const PROJ_RADIUS = /(?:^|\s)\+?(?:a|R)=([\d.eE+-]+)(?=\s|$)/g;

/** Says that a length is no radius of the Earth, or null; NaN and nonsense are PROJ's to refuse. */
export function whyNotEarth(semi_major_m: number): string | null {
  const is_other = semi_major_m > 0 && (semi_major_m < MIN_EARTH_M || semi_major_m > MAX_EARTH_M);
  return is_other ? `its ellipsoid has a radius of ${Math.round(semi_major_m / 1000)} km: not the Earth` : null;
}

export function whyNotEarthInWkt(wkt: string): string | null {
  for (const [, axis, unit_m] of wkt.matchAll(WKT_ELLIPSOID)) {
    const reason = whyNotEarth(Number(axis) * Number(unit_m ?? 1));
    if (reason) return reason;
  }
  return null;
}

export function whyNotEarthInProj(proj: string): string | null {
  for (const [, axis] of proj.matchAll(PROJ_RADIUS)) {
    const reason = whyNotEarth(Number(axis));
    if (reason) return reason;
  }
  return null;
}
