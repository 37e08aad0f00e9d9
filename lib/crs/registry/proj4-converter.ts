import proj4 from 'proj4';

export interface Converter {
  /** Degrees from Greenwich on the CRS's own ellipsoid; null where proj4 has no finite answer on the Earth. */
  toLonLat(x: number, y: number): [lon: number, lat: number] | null;
  fromLonLat(lon: number, lat: number): [x: number, y: number] | null;
}

/** No datum on either side, so proj4 shifts nothing; it adds and takes off the prime meridian by itself. */
const GREENWICH = '+proj=longlat +ellps=WGS84 +no_defs';

/** proj4 on one PROJ text of the registry; null where proj4 cannot read the text. The text's `+axis` is obeyed. */
export function proj4Converter(text: string): Converter | null {
  let converter: proj4.Converter;
  try {
    converter = proj4(text, GREENWICH);
  } catch {
    return null;
  }
  return {
    toLonLat(x, y) {
      const place = attempt(() => converter.forward([x, y], true));
      if (place === null || Math.abs(place[1]) > 90 + 1e-9) return null;
      return [wrappedLon(place[0]), Math.max(-90, Math.min(90, place[1]))];
    },
    fromLonLat(lon, lat) {
      if (!(Math.abs(lat) <= 90)) return null;
      return attempt(() => converter.inverse([lon, lat], true));
    },
  };
}

/** −180 to 180. */
export function wrappedLon(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  const turned = (((lon + 180) % 360) + 360) % 360;
  return turned - 180;
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
