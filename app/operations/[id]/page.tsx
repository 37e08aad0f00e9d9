import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { operationNumber } from '@/components/operations/operation.model';
import { OperationPage } from '@/components/operations/operation-page';
import { getDb } from '@/db/client';
import { operationItemsQuery, operationQuery } from '@/lib/api/operations';
import { DlqError } from '@/lib/contract/error';
import { ITEM_OUTCOMES } from '@/lib/contract/operation';
import { actorOf } from '@/lib/http/actor';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { getOperation } from '@/lib/operations/get-operation';
import { listItems } from '@/lib/operations/list-items';
import { getQueryClient } from '../../get-query-client';

const ITEMS = 100;

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  return { title: /^\d{1,18}$/.test(id) ? `Operation ${operationNumber(id)}` : 'Operation' };
}

/** The operation comes with the page. A preview that was never started is no operation yet. */
export default async function Page({ params, searchParams }: Props) {
  const { id } = await params;
  const { outcome } = await searchParams;
  const client = getQueryClient();
  if (!(await fill(client, id, ITEM_OUTCOMES.find((each) => each === outcome) ?? null))) notFound();
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <OperationPage id={id} />
    </HydrationBoundary>
  );
}

/** Puts the operation and its first items where the page looks for them; false where there is none. */
async function fill(client: QueryClient, id: string, outcome: (typeof ITEM_OUTCOMES)[number] | null): Promise<boolean> {
  try {
    const actor = await actorOf(new Request('http://page.local/', { headers: await headers() }));
    if (!actor) return true;
    const ctx = { db: getDb(), actor };
    const operation = await getOperation(ctx, id);
    if (operation.state === 'previewed') return false;
    const items = await listItems(ctx, { id, outcome, cursor: null, limit: ITEMS });
    client.setQueryData(operationQuery(id).queryKey, operation);
    client.setQueryData(operationItemsQuery(id, outcome).queryKey, { pages: [items], pageParams: [null] });
  } catch (error) {
    if (error instanceof DlqError && error.code === 'not_found') return false;
    // the page comes without it, asks again by itself and says what is wrong
    getLog().error({ route: '/operations/[id]', error: loggableError(error) }, 'the page could not be filled');
  }
  return true;
}
