import { lonOnMap } from './sphere';

/** x,y in source units, or lon,lat in degrees. */
type Place = readonly [number, number];

/** Follows a place from the source's units to the map and back; each null where the projection has no such place. */
export interface CursorTransform {
  toLonLat(place: Place): [number, number] | null;
  fromLonLat(place: Place): [number, number] | null;
}

/** proj4 wraps what it is given once round the Earth: a place beyond that is no place. */
const MOST_LON = 540;

/**
 * Makes the transform of a proj4 definition that was checked against the database's PROJ. Loads proj4 (40 kB) on the first
 * call. For a cursor only: it never becomes data. @throws Error where proj4 cannot read the definition.
 */
export async function makeCursorTransform(definition: string): Promise<CursorTransform> {
  const { default: proj4 } = await import('proj4');
  // for an unknown definition proj4 throws a string
  const converter = (() => {
    try {
      return proj4(definition);
    } catch (thrown) {
      throw new Error(String(thrown));
    }
  })();
  return {
    toLonLat: ([x, y]) => {
      if (!isFinite2(x, y)) return null;
      const found = attempt(() => converter.inverse([x, y]));
      return found && Math.abs(found[1]) <= 90 && Math.abs(found[0]) <= MOST_LON ? found : null;
    },
    fromLonLat: ([lon, lat]) =>
      isFinite2(lon, lat) && Math.abs(lat) <= 90 ? attempt(() => converter.forward([lonOnMap(lon), lat])) : null,
  };
}

const isFinite2 = (a: number, b: number) => Number.isFinite(a) && Number.isFinite(b);

function attempt(run: () => number[]): [number, number] | null {
  try {
    const [a, b] = run();
    return a !== undefined && b !== undefined && isFinite2(a, b) ? [a, b] : null;
  } catch {
    return null;
  }
}
