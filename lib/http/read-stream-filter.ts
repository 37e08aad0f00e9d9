import { type Filter, filterFromSearch } from '@/lib/contract/filter';
import { placeAreas } from '@/lib/places/place-areas';

/**
 * The filter of an answer that is streamed: what would be refused later, an unknown place, is refused before it begins.
 * @throws FilterError naming the parameter.
 */
export function readStreamFilter(search: URLSearchParams): Filter {
  const filter = filterFromSearch(search);
  placeAreas(filter.place ?? []);
  return filter;
}
