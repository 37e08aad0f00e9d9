import { describe, expect, test } from 'vitest';
import { filterFromSearch } from '@/lib/contract/filter';
import areas from '@/lib/places/data/areas.json';
import places from '@/lib/places/data/places.json';
import { placeAreas } from '@/lib/places/place-areas';
import { placesLike, placesNear } from '@/lib/places/place-list';

const codes = (text: string) => placesLike(text, 5).map(({ code }) => code);

describe('places', () => {
  test('have codes that the filter takes, each once, and an area', () => {
    const all = places.map(({ code }) => code);
    expect(new Set(all).size).toBe(all.length);
    expect(areas.map(([code]) => code)).toEqual(all);
    for (let from = 0; from < all.length; from += 50) {
      const some = all.slice(from, from + 50);
      expect(filterFromSearch(new URLSearchParams(some.map((code) => ['place', code]))).place).toEqual(some);
    }
  });

  test('are found by code or name, without accents and in any case, countries first', () => {
    expect(codes('us')[0]).toBe('US');
    expect(codes('us-oh')).toEqual(['US-OH']);
    expect(codes('geor').slice(0, 2)).toEqual(['GE', 'US-GA']);
    expect(codes('sao paulo')).toEqual(['BR-SP']);
    expect(codes('kingdom')).toContain('GB');
    expect(codes('no such place')).toEqual([]);
  });

  test('are named where a code is unknown', () => {
    expect(placesNear('US-OX').map(({ code }) => code)).toEqual(['US', 'US-OH', 'US-OK']);
    expect(placesNear('ZX').every(({ kind }) => kind === 'country')).toBe(true);
    expect(() => placeAreas(['US', 'US-OX'])).toThrow(
      /no country or region has the code “US-OX”; near it: US \(United States of America\), US-OH \(Ohio\)/,
    );
    // no code is like it: nothing is offered
    expect(() => placeAreas(['XX'])).toThrow(/code “XX”$/);
  });
});
