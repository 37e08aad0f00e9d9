import { FilterError } from '@/lib/contract/filter';
import areas from './data/areas.json';
import { placesNear } from './place-list';

const AREAS: ReadonlyMap<string, string> = new Map(areas as [string, string][]);

/**
 * The areas of places as TWKB, of two decimals in degrees: about 1 km.
 * @throws FilterError for a code that no place has, naming some that have one like it.
 */
export function placeAreas(codes: readonly string[]): Buffer[] {
  return codes.map((code) => {
    const area = AREAS.get(code);
    if (area === undefined) {
      const near = placesNear(code).map((place) => `${place.code} (${place.name})`);
      const hint = near.length > 0 ? `; near it: ${near.join(', ')}` : '';
      throw new FilterError('place', `place: no country or region has the code “${code}”${hint}`);
    }
    return Buffer.from(area, 'base64');
  });
}
