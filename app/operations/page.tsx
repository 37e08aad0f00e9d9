import { dehydrate, HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { OperationList } from '@/components/operations/operation-list';
import { getDb } from '@/db/client';
import { operationsQuery } from '@/lib/api/operations';
import { actorOf } from '@/lib/http/actor';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { listOperations } from '@/lib/operations/get-operation';
import { getQueryClient } from '../get-query-client';

export const metadata: Metadata = { title: 'Operations' };

/** The operations come with the page, so that the first paint has them in it. */
export default async function OperationsPage() {
  const client = getQueryClient();
  try {
    const actor = await actorOf(new Request('http://page.local/', { headers: await headers() }));
    if (actor) {
      const first = await listOperations({ db: getDb(), actor }, { cursor: null });
      client.setQueryData(operationsQuery().queryKey, { pages: [first], pageParams: [null] });
    }
  } catch (error) {
    // the page comes without them, asks again by itself and says what is wrong
    getLog().error({ route: '/operations', error: loggableError(error) }, 'the page could not be filled');
  }
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <OperationList />
    </HydrationBoundary>
  );
}
