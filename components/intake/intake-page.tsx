'use client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { PageKeys } from '@/components/triage/page-keys';
import { clockText } from '@/components/ui/time-text';
import { useOrigin } from '@/components/ui/use-origin';
import { runsQuery } from '@/lib/api/runs';
import { spoolQuery } from '@/lib/api/spool';
import { tokensQuery } from '@/lib/api/tokens';
import './intake.css';
import './intake-tables.css';
import { IntakeSummary } from './intake-summary';
import { RejectedSection } from './rejected-section';
import { RunSection } from './run-section';
import { SpoolSection } from './spool-section';
import { summaryTiles } from './summary.model';
import { TokenSection } from './token-section';
import { useIntakeUrl } from './use-intake-url';

const LOADING_MS = 3_000;
const AT_REST_MS = 10_000;
const SELDOM_MS = 30_000;

/** What producers send, how it arrives, and what could not be taken. Asked again while the page is seen. */
export function IntakePage({ origin: seen_origin }: { origin: string }) {
  const origin = useOrigin(seen_origin);
  const { section, is_open, ended, status, run, go } = useIntakeUrl();
  const spool = useInfiniteQuery({
    ...spoolQuery(),
    refetchInterval: ({ state: { data } }) =>
      // every loaded page is asked for again, so the more of them the more seldom
      (data?.pages[0]?.sources.some(({ waiting_files }) => waiting_files > 0) ? LOADING_MS : AT_REST_MS) *
      Math.max(1, data?.pages.length ?? 1),
  });
  const tokens = useQuery({ ...tokensQuery(), refetchInterval: SELDOM_MS });
  const latest = useInfiniteQuery({ ...runsQuery(null), refetchInterval: SELDOM_MS });
  const now = Math.max(spool.dataUpdatedAt, tokens.dataUpdatedAt, latest.dataUpdatedAt);
  const first = spool.data?.pages[0];
  const tiles = summaryTiles({ spool: first, tokens: tokens.data?.items, runs: latest.data?.pages[0]?.items, now });
  return (
    <main id="main" className="in">
      <PageKeys />
      <header className="in-h">
        <div>
          <h1>Intake</h1>
          <p className="dim">What pipelines send, how it arrives, and what could not be taken.</p>
        </div>
        <p className="in-h-r">
          {first && (
            <span className="cap">
              <span className="in-live" />
              as of {clockText(first.as_of)} UTC
            </span>
          )}
          <Link className="btn" href="/docs/capture">
            How to capture
          </Link>
        </p>
      </header>
      <IntakeSummary tiles={tiles} section={section} onGo={(to) => go(to)} />
      {section === 'spools' && <SpoolSection query={spool} onLines={() => go('lines')} />}
      {section === 'lines' && (
        <RejectedSection
          is_open={is_open}
          counts={first?.rejected ?? null}
          sources={first?.sources ?? []}
          onShow={(open) => go('lines', { open: open ? null : 'false' })}
        />
      )}
      {section === 'producers' && (
        <TokenSection
          query={tokens}
          origin={origin}
          ended={ended}
          onShow={(show) => go('producers', { ended: show ? 'true' : null })}
        />
      )}
      {section === 'runs' && (
        <RunSection status={status} run={run} onGo={(chosen) => go('runs', { status, ...chosen })} />
      )}
    </main>
  );
}
