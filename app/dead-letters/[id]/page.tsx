import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getQueryClient } from '@/app/get-query-client';
import { getDb } from '@/db/client';
import { entryQuery } from '@/lib/api/entry';
import { evidenceQuery } from '@/lib/api/evidence';
import type { Entry } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { actorOf } from '@/lib/http/actor';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { getEntry } from '@/lib/triage/get-entry';
import { getEvidence } from '@/lib/triage/get-evidence';
import { EntryClient } from './entry-client';

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Geometry up to this size comes with the page; more is asked for by the browser, so that the page is not held up. */
const IN_PAGE_BYTES = 100_000;

const context = cache(async () => {
  const actor = await actorOf(new Request('http://page.local/', { headers: await headers() }));
  return actor && { db: getDb(), actor };
});

/** The entry, once a request for title and page alike: null where the server cannot tell, `gone` where there is none. */
const read = cache(async (id: string): Promise<Entry | 'gone' | null> => {
  try {
    const ctx = await context();
    return ctx && (await getEntry(ctx, { id }));
  } catch (error) {
    if (error instanceof DlqError && (error.code === 'not_found' || error.code === 'bad_request')) return 'gone';
    getLog().error({ route: '/dead-letters/[id]', error: loggableError(error) }, 'the page could not be filled');
    return null;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const entry = await read((await params).id);
  return { title: entry && entry !== 'gone' ? entry.work_key : 'Dead letter' };
}

/** One entry as a page: the inspector with room. */
export default async function EntryPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { tab, fault } = await searchParams;
  const entry = await read(id);
  if (entry === 'gone') notFound();
  const client = getQueryClient();
  if (entry) {
    client.setQueryData(entryQuery(id).queryKey, entry);
    const ctx = await context();
    if (ctx && (entry.payload.geom_bytes ?? 0) <= IN_PAGE_BYTES) {
      try {
        client.setQueryData(evidenceQuery(id).queryKey, await getEvidence(ctx, { id }));
      } catch (error) {
        // the browser asks again and says what is wrong
        getLog().error({ route: '/dead-letters/[id]', error: loggableError(error) }, 'the evidence could not be read');
      }
    }
  }
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? null;
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <EntryClient id={id} tab={one(tab)} fault={one(fault)} />
    </HydrationBoundary>
  );
}
