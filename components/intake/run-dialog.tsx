'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRef } from 'react';
import { CopyButton } from '@/components/evidence/copy-button';
import { durationText } from '@/components/operations/duration-text';
import { Dialog } from '@/components/ui/dialog';
import { countedText, countText } from '@/components/ui/number-text';
import { exactText } from '@/components/ui/time-text';
import { type RunName, runQuery } from '@/lib/api/runs';
import { filterToSearch } from '@/lib/contract/filter';
import type { RunDetail } from '@/lib/contract/run';
import { deadLettersText, hasHoles, missingText, unexpectedText, verdictText } from './run.model';
import { visibleText } from './visible-text.model';

const HOLES_A_PAGE = 200;

/** One run with its holes: the tiles that are neither done nor dead letters. */
export function RunDialog({ name, now, onClose }: { name: RunName | null; now: number; onClose: () => void }) {
  const last = useRef(name);
  if (name) last.current = name;
  const shown = name ?? last.current;
  const query = useInfiniteQuery({
    ...runQuery(shown ?? { run_id: '', queue: null, task_name: null }, HOLES_A_PAGE),
    enabled: name !== null,
    staleTime: 0,
  });
  if (!shown) return null;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const run = data?.pages[0];
  return (
    <Dialog
      open={name !== null}
      onClose={onClose}
      width={720}
      title={visibleText(shown.run_id)}
      description={run ? verdictText(run) : 'One run of the ledger'}
    >
      {error && (
        <p className="note" role="alert">
          <span className="bad-t in-any">It could not be read: {visibleText(error.message)}.</span>
          <button type="button" className="btn btn-s in-right" onClick={() => void refetch()}>
            Try now
          </button>
        </p>
      )}
      {!run && !error && (
        <p className="dim" role="status">
          Loading…
        </p>
      )}
      {run && (
        <>
          <Facts run={run} now={now} />
          <Holes
            run={run}
            tiles={data.pages.flatMap((page) => page.holes?.tiles ?? [])}
            busy={isFetchingNextPage}
            onMore={hasNextPage ? () => void fetchNextPage() : null}
          />
        </>
      )}
    </Dialog>
  );
}

function Facts({ run, now }: { run: RunDetail; now: number }) {
  const triage = filterToSearch({ queue: [run.queue], task_name: [run.task_name], state: ['any'] });
  const took = run.duration_ms ?? (run.status === 'running' ? Math.max(0, now - Date.parse(run.started_at)) : null);
  return (
    <dl className="in-facts in-facts-2">
      <Fact name="Task" value={<span className="mono in-any">{visibleText(run.task_name)}</span>} />
      <Fact name="Queue" value={<span className="mono in-any">{visibleText(run.queue)}</span>} />
      <Fact name="Status" value={run.status} />
      <Fact name="Code" value={<span className="mono in-any">{run.code_version ?? 'not said'}</span>} />
      <Fact name="Started" value={exactText(run.started_at)} />
      <Fact name="Took" value={took === null ? 'not said' : durationText(took / 1000)} />
      <Fact name="Expected" value={run.expected === null ? 'not said' : countText(run.expected)} />
      <Fact name="Succeeded" value={run.succeeded === null ? 'not said' : countText(run.succeeded)} />
      <Fact
        name="Dead letters"
        value={
          <>
            {deadLettersText(run)}
            {run.dead_letters > 0 && (
              <>
                {', '}
                <Link className="link" href={`/?${triage}`}>
                  all of this task
                </Link>
              </>
            )}
          </>
        }
      />
      <Fact
        name="Missing"
        value={
          <span className={hasHoles(run) ? 'strong bad-t' : ''}>
            {run.missing === null ? 'not known' : missingText(run)}
          </span>
        }
      />
      {run.unexpected > 0 && <Fact name="Also succeeded" value={unexpectedText(run)} />}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Holes({
  run,
  tiles,
  busy,
  onMore,
}: {
  run: RunDetail;
  tiles: readonly string[];
  busy: boolean;
  onMore: (() => void) | null;
}) {
  if (run.holes === null)
    return hasHoles(run) ? (
      <p className="dim in-holes-n">
        Which ones is not known: {run.tiles === null ? 'the run named no tiles.' : 'not every success was named.'}{' '}
        <Link className="link" href="/docs/capture#runs">
          How a run names them
        </Link>
      </p>
    ) : null;
  const unlisted = (run.missing ?? 0) - run.holes.total;
  const others = unlisted > 0 && (
    <p className="dim in-holes-n">
      {countText(unlisted)} more {unlisted === 1 ? 'is' : 'are'} expected that its list does not name.
    </p>
  );
  if (run.holes.total === 0)
    return (
      <>
        <p className="dim in-holes-n">Each of its tiles is done or a dead letter.</p>
        {others}
      </>
    );
  return (
    <section aria-labelledby="in-holes">
      <div className="in-text-h">
        <h3 id="in-holes" className="strong">
          {countedText(run.holes.total, 'tile', 'tiles')} {run.status === 'running' ? 'still to do' : 'missing'}
        </h3>
        <span className="cap">
          z/x/y{tiles.length < run.holes.total && `; the first ${countText(tiles.length)} are shown`}
        </span>
        <CopyButton text={tiles.join('\n')} what="Tiles" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <ul className="in-holes mono" tabIndex={0} aria-label="Missing tiles">
        {tiles.map((tile) => (
          <li key={tile}>{tile}</li>
        ))}
      </ul>
      {onMore && (
        <p className="in-holes-n">
          <button type="button" className="btn btn-s" disabled={busy} onClick={onMore}>
            {busy ? 'Loading…' : 'More tiles'}
          </button>
        </p>
      )}
      {others}
    </section>
  );
}
