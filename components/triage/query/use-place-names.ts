'use client';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { placeName } from '@/components/map/place-name';
import { placesQuery } from '@/lib/api/places';

/** Names of the filter's places by their codes, as far as they are known yet. */
export function usePlaceNames(codes: readonly string[] | undefined): ReadonlyMap<string, string> {
  const answers = useQueries({ queries: (codes ?? []).map((code) => placesQuery(code)) });
  const found = answers.flatMap(({ data }) => data?.items ?? []);
  const known = JSON.stringify(
    found.filter(({ code }) => codes?.includes(code)).map((place) => [place.code, placeName(place)]),
  );
  return useMemo(() => new Map(JSON.parse(known) as [string, string][]), [known]);
}
