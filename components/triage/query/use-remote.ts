'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { placeName } from '@/components/map/place-name';
import { placesQuery } from '@/lib/api/places';
import { paramsQuery, valuesQuery } from '@/lib/api/suggest';
import type { Filter } from '@/lib/contract/filter';
import { readParamPath } from '@/lib/contract/param-path';
import { SUGGESTED_FIELDS } from '@/lib/contract/search';
import type { Remote, Spot } from './suggest.model';

/** Between two keys of somebody who types nothing is asked. */
const PAUSE_MS = 120;

/** What the server knows of the spot, while completions are shown. */
export function useRemote(spot: Spot, open: boolean, filter: Filter): Remote {
  const [asked, setAsked] = useState(spot);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(spot), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [spot]);
  const field = asked.in === 'value' ? SUGGESTED_FIELDS.find((each) => each === asked.field) : undefined;
  const path = asked.in === 'param' && readParamPath(asked.path) ? asked.path : null;
  const isSame = spot.in !== 'param' || (asked.in === 'param' && asked.path === spot.path);
  const kind = open && asked.in === spot.in && isSame ? spot.in : 'nothing';
  const values = useQuery({
    ...valuesQuery(field ?? SUGGESTED_FIELDS[0], asked.wanted, filter),
    enabled: kind === 'value' && field !== undefined && spot.in === 'value' && spot.field === field,
  });
  const params = useQuery({
    ...paramsQuery(path, asked.wanted, filter),
    enabled: kind === 'path' || (kind === 'param' && path !== null),
  });
  const places = useQuery({ ...placesQuery(asked.wanted), enabled: kind === 'place' && asked.wanted !== '' });
  // what was known of the word before serves while it grows, but not for another field or path
  const known = {
    values: values.isPlaceholderData ? undefined : values.data,
    paths: params.data,
    params: params.isPlaceholderData ? undefined : params.data,
    places: places.data,
  };
  return useMemo((): Remote => {
    const counted = <Item extends { count: number }>(items: readonly Item[] = [], capped = false) =>
      items.map((item) => ({ ...item, count: capped ? null : item.count }));
    if (kind === 'value' && field)
      return { values: (known.values?.values ?? []).map((value) => ({ value, count: null })) };
    if (kind === 'path') return { paths: counted(known.paths?.paths, known.paths?.capped) };
    if (kind === 'param') return { params: counted(known.params?.values, known.params?.capped) };
    if (kind === 'place')
      return { places: (known.places?.items ?? []).map((each) => ({ code: each.code, name: placeName(each) })) };
    return {};
  }, [kind, field, known.values, known.paths, known.params, known.places]);
}
