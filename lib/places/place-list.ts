import type { Place } from '@/lib/contract/search';
import places from './data/places.json';

/** Countries and first-level regions, by code. */
const PLACES: ReadonlyMap<string, Place> = new Map((places as Place[]).map((place) => [place.code, place]));
const SEARCHED = [...PLACES.values()].map((place) => ({
  place,
  name: plain(place.name),
  code: place.code.toLowerCase(),
}));

export function placeOf(code: string): Place | null {
  return PLACES.get(code) ?? null;
}

/** Places whose code or name begins with the text, then those with a word that does; countries first. */
export function placesLike(text: string, most: number): Place[] {
  const wanted = plain(text);
  const code = text.trim().toLowerCase();
  const rank = (one: (typeof SEARCHED)[number]) => {
    if (code !== '' && one.code === code) return 0;
    if (one.name.startsWith(wanted)) return one.place.kind === 'country' ? 1 : 2;
    if (code !== '' && one.code.startsWith(code)) return 3;
    return one.name.includes(` ${wanted}`) ? 4 : 5;
  };
  return SEARCHED.map((one) => ({ one, rank: rank(one) }))
    .filter(({ rank }) => rank < 5)
    .sort((a, b) => a.rank - b.rank || compare(a.one.name, b.one.name) || compare(a.one.code, b.one.code))
    .slice(0, most)
    .map(({ one }) => one.place);
}

/** The places that somebody who wrote an unknown code may have meant: at most three. */
export function placesNear(code: string): Place[] {
  const [country = '', region = ''] = code.split('-');
  const of_country = SEARCHED.filter(({ place }) => place.code.startsWith(`${country}-`)).map(({ place }) => place);
  const same_start = of_country.filter((place) => place.code.slice(country.length + 1).startsWith(region.slice(0, 1)));
  const own = placeOf(country);
  const alike = SEARCHED.filter(
    ({ code: one, place }) => place.kind === 'country' && one.startsWith(country.slice(0, 1).toLowerCase()),
  );
  return (own ? [own, ...same_start] : alike.map(({ place }) => place)).slice(0, 3);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Without accents and case: `são` is found by `sao`. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
