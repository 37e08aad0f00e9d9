import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import '@/components/triage/layout.css';
import '@/components/triage/filter-bar.css';
import '@/components/triage/facets.css';
import '@/components/triage/histogram.css';
import '@/components/triage/list.css';
import '@/components/triage/list-parts.css';
import { readTriageUrl } from '@/components/triage/triage-url.model';
import { getDb } from '@/db/client';
import { triageQuery } from '@/lib/api/triage';
import { actorOf } from '@/lib/http/actor';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { DEFAULT_LIMIT } from '@/lib/triage/page-order';
import { triage } from '@/lib/triage/triage';
import { getQueryClient } from '../get-query-client';
import { TriageClient } from './triage-client';

export const metadata: Metadata = { title: 'Triage' };

type Search = Promise<Record<string, string | string[] | undefined>>;

/** Reads the address and answers it with the page, so that the first paint has the entries in it. */
export default async function TriagePage({ searchParams }: { searchParams: Search }) {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(await searchParams))
    for (const value of [values ?? []].flat()) search.append(name, value);
  const { state } = readTriageUrl(search.toString());
  const { filter, sort, dir, at } = state;
  const client = getQueryClient();
  try {
    const actor = await actorOf(new Request('http://page.local/', { headers: await headers() }));
    if (actor) {
      const ctx = { db: getDb(), actor };
      const answer = await triage(ctx, { filter, sort, dir, at, limit: DEFAULT_LIMIT, cursor: null });
      client.setQueryData(triageQuery(filter, { sort, dir, at }).queryKey, answer);
    }
  } catch (error) {
    // the page comes without entries, asks again by itself and says what is wrong
    getLog().error({ route: '/', error: loggableError(error) }, 'the page could not be filled');
  }
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <TriageClient search={search.size === 0 ? '' : `?${search}`} />
    </HydrationBoundary>
  );
}
