const COMPASS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const;
export type Compass = (typeof COMPASS)[number];

/** The one of eight directions, of degrees clockwise from north. */
export function compassWord(bearing: number): Compass {
  return COMPASS[(Math.round(bearing / 45) + 8) % 8]!;
}

/** The one of eight directions, of the way on a plane. */
export const compassOf = (east: number, north: number): Compass =>
  compassWord((Math.atan2(east, north) * 180) / Math.PI);

/** `1,579 km`, `9.6 km`, `340 m`. */
export function distanceText(metres: number): string {
  if (metres < 1000) return `${Math.round(metres)} m`;
  const km = metres / 1000;
  return `${km < 10 ? km.toFixed(1) : Math.round(km).toLocaleString('en-GB')} km`;
}
