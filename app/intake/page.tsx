import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { IntakePage } from '@/components/intake/intake-page';
import { sectionOf } from '@/components/intake/section.model';
import { getDb } from '@/db/client';
import { runsQuery } from '@/lib/api/runs';
import { rejectedQuery, spoolQuery } from '@/lib/api/spool';
import { tokensQuery } from '@/lib/api/tokens';
import { RUN_STATUSES } from '@/lib/contract/run';
import { actorOf, mayAct } from '@/lib/http/actor';
import { pageOrigin } from '@/lib/http/page-origin';
import { readRunsInput } from '@/lib/http/runs-input';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { listRuns } from '@/lib/runs/list-runs';
import { getSpool } from '@/lib/spool/get-spool';
import { listRejected } from '@/lib/spool/rejected-lines';
import { listTokens } from '@/lib/tokens/list-tokens';
import { getQueryClient } from '../get-query-client';

export const metadata: Metadata = { title: 'Intake' };

type Search = Record<string, string | string[] | undefined>;

/** The figures and the section that is asked for come with the page, so that the first paint has them in it. */
export default async function Page({ searchParams }: { searchParams: Promise<Search> }) {
  const client = getQueryClient();
  const asked = await headers();
  await fill(client, asked, await searchParams);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <IntakePage origin={pageOrigin(asked)} />
    </HydrationBoundary>
  );
}

async function fill(client: QueryClient, asked: Headers, search: Search): Promise<void> {
  try {
    const actor = await actorOf(new Request('http://page.local/', { headers: asked }));
    if (!actor) return;
    const ctx = { db: getDb(), actor };
    const set = (queryKey: readonly unknown[], page: unknown) =>
      client.setQueryData(queryKey, { pages: [page], pageParams: [null] });
    const may_operate = mayAct(actor, 'operator');
    const section = sectionOf(String(search.section ?? ''));
    const status = RUN_STATUSES.find((one) => one === search.status) ?? null;
    const first_runs = readRunsInput(new URLSearchParams());
    await Promise.all([
      getSpool(ctx, { cursor: null }).then((page) => set(spoolQuery().queryKey, page)),
      listRuns(ctx, first_runs).then((page) => set(runsQuery(null).queryKey, page)),
      may_operate && listTokens(ctx).then((list) => client.setQueryData(tokensQuery().queryKey, list)),
      may_operate &&
        section === 'lines' &&
        listRejected(ctx, { cursor: null, is_open: search.open !== 'false' }).then((page) =>
          set(rejectedQuery(search.open !== 'false').queryKey, page),
        ),
      status && listRuns(ctx, { ...first_runs, status }).then((page) => set(runsQuery(status).queryKey, page)),
    ]);
  } catch (error) {
    // the page comes without them, asks again by itself and says what is wrong
    getLog().error({ route: '/intake', error: loggableError(error) }, 'the page could not be filled');
  }
}
