import type { Place } from '@/lib/contract/search';

/** `Ohio, United States`; a country by its name alone. */
export function placeName({ name, country }: Pick<Place, 'name' | 'country'>): string {
  return country === null ? name : `${name}, ${country}`;
}
