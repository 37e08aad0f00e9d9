'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Segmented } from '@/components/ui/segmented';
import { type RunName, runsQuery } from '@/lib/api/runs';
import { RUN_STATUSES, type RunStatus } from '@/lib/contract/run';
import { RunDialog } from './run-dialog';
import { RunTable } from './run-table';
import { OlderOnes, SectionEmpty, SectionProblem, SectionSkeleton } from './section-states';

const RUNNING_MS = 5_000;
const AT_REST_MS = 30_000;
const ANY = 'any';

/** The ledger: what each run had to do, and what became of it. */
export function RunSection({
  status,
  run,
  onGo,
}: {
  status: RunStatus | null;
  /** The run that is open. */
  run: RunName | null;
  onGo: (chosen: Record<string, string | null>) => void;
}) {
  const query = useInfiniteQuery({
    ...runsQuery(status),
    refetchInterval: ({ state: { data } }) =>
      (data?.pages.some(({ items }) => items.some((one) => one.status === 'running')) ? RUNNING_MS : AT_REST_MS) *
      Math.max(1, data?.pages.length ?? 1),
  });
  const { data, error, dataUpdatedAt: now, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const runs = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {error && <SectionProblem what="runs" error={error} shown_at={now} onRetry={() => void refetch()} />}
      <div className="in-filter">
        <Segmented<RunStatus | typeof ANY>
          label="Status"
          value={status ?? ANY}
          options={[
            { value: ANY, label: 'All' },
            ...RUN_STATUSES.map((value) => ({ value, label: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}` })),
          ]}
          onChange={(value) => onGo({ status: value === ANY ? null : value })}
        />
        <span className="cap">Missing: units that nobody accounts for, neither done nor dead letters.</span>
      </div>
      {!data && !error && <SectionSkeleton what="runs" />}
      {data && runs.length === 0 && <NoRuns status={status} />}
      {runs.length > 0 && (
        <section className="card">
          <RunTable
            runs={runs}
            now={now}
            onOpen={({ run_id, queue, task_name }) => onGo({ run: run_id, queue, task_name })}
          />
          {hasNextPage && (
            <OlderOnes shown={runs.length} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
          )}
        </section>
      )}
      <RunDialog name={run} now={now} onClose={() => onGo({})} />
    </>
  );
}

function NoRuns({ status }: { status: RunStatus | null }) {
  if (status) return <SectionEmpty title={`No run is ${status}.`} />;
  return (
    <SectionEmpty title="No run was reported.">
      <p className="dim">
        Depth alone does not show a tile that was never tried. A pipeline that reports its runs (withRun, run(), or POST
        /api/runs) is held against what it had to do.
      </p>
      <p>
        <a className="link" href="/docs/capture#runs">
          How to report a run
        </a>
      </p>
    </SectionEmpty>
  );
}
