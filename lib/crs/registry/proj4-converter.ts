import proj4 from 'proj4';
import { lonOnMap } from '../sphere';

export interface Converter {
  /** Degrees from Greenwich on the CRS's own ellipsoid; null outside the projection, where there is no way back. */
  toLonLat(x: number, y: number): [lon: number, lat: number] | null;
  fromLonLat(lon: number, lat: number): [x: number, y: number] | null;
}

/** No datum on either side, so proj4 shifts nothing; it adds and takes off the prime meridian by itself. */
const GREENWICH = '+proj=longlat +ellps=WGS84 +no_defs';
/** proj4 turns a latitude over that exceeds 90° by its last bit. */
const POLE = 90 - 1e-9;
const NEAR_POLE = 90 - 1e-6;
const NEAR_EDGE = 180 - 1e-4;
const MAX_RETURN_M = 1000;
/** Beyond 180° east these go on with 180° west, so that the way back is another x. */
const GOES_ROUND = /\+proj=(merc|webmerc|eqc|cea|mill|gall)(\s|$)/;

/** proj4 on one PROJ text of the registry; null where proj4 cannot read the text. The text's `+axis` is obeyed. */
export function proj4Converter(text: string): Converter | null {
  const read = readable(() => twoSided(text));
  return read && converterOf(read, text);
}

function converterOf(converter: ReturnType<typeof twoSided>, text: string): Converter {
  const goes_round = GOES_ROUND.test(text);
  const tolerance = MAX_RETURN_M / Number(/\+to_meter=(\S+)/.exec(text)?.[1] ?? 1);

  function fromLonLat(lon: number, lat: number): [number, number] | null {
    if (!(Math.abs(lat) <= 90)) return null;
    return attempt(() => converter.inverse([lon, Math.max(-POLE, Math.min(POLE, lat))], true));
  }

  function comesBack(lon: number, lat: number, x: number, y: number): boolean {
    const back = fromLonLat(lon, lat);
    if (!back || Math.abs(back[1] - y) > tolerance) return false;
    return goes_round || Math.abs(back[0] - x) <= tolerance;
  }

  function toLonLat(x: number, y: number): [number, number] | null {
    const place = attempt(() => converter.forward([x, y], true));
    if (!place || Math.abs(place[1]) > 90 + 1e-9) return null;
    const lon = lonOnMap(place[0]);
    const lat = Math.max(-90, Math.min(90, place[1]));
    if (comesBack(lon, lat, x, y)) return [lon, lat];
    // At the edge of a world map the last bit of the longitude decides which of both edges is the way back.
    if (Math.abs(lon) > NEAR_EDGE && comesBack(-lon, lat, x, y)) return [lon, lat];
    return Math.abs(lat) > NEAR_POLE && comesBack(lon, -lat, x, y) ? [lon, -lat] : null;
  }

  return { toLonLat, fromLonLat };
}

const twoSided = (text: string) => proj4(text, GREENWICH);

/** For a text that it does not know proj4 throws, an error or a string. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** proj4 throws on what is not finite, and gives NaN, infinities or nothing outside a projection's domain. */
function attempt(convert: () => number[]): [number, number] | null {
  try {
    const [first, second] = convert();
    if (first === undefined || second === undefined) return null;
    return Number.isFinite(first) && Number.isFinite(second) ? [first, second] : null;
  } catch {
    return null;
  }
}
