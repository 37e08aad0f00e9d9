'use client';
import { clockText } from '@/components/ui/time-text';
import { isUnderWay } from '@/lib/api/operations';
import type { Operation } from '@/lib/contract/operation';
import { durationText, whenText } from './duration-text';
import { waitsForCanary } from './operation.model';
import { answeredCount, sentCount } from './outcomes.model';
import { usePace } from './use-pace';

/** How fast it goes and how long it still takes; afterwards how long it took. */
export function OperationNow({ operation, away }: { operation: Operation; away: boolean }) {
  const { per_s, seconds } = usePace(operation);
  const { action, state, rate_per_s, outcomes, started_at, finished_at, as_of } = operation;
  const held = waitsForCanary(operation);
  const live = isUnderWay(operation) && !away;
  const peak = Math.max(1, rate_per_s ?? 0, ...seconds.map((each) => each ?? 0));
  const answered = answeredCount(operation);
  return (
    <section className="card" aria-labelledby="op-now">
      <div className="card-h">
        <h2 id="op-now">{finished_at ? 'In the end' : 'Now'}</h2>
        <span className="right cap">
          {live && <span className="op-live" />}as of {clockText(as_of)}
        </span>
      </div>
      <div className="card-b">
        <dl className="op-kv">
          {held && <Line name="Sending">waits for the canary’s answers</Line>}
          {state === 'running' && !held && (
            <Line name={action === 'redrive' ? 'Sending' : 'Applying'}>
              {per_s === null ? (
                <span className="faint">…</span>
              ) : (
                <b>{per_s < 10 ? per_s.toFixed(1) : Math.round(per_s)}</b>
              )}{' '}
              per s
            </Line>
          )}
          {rate_per_s !== null && <Line name="At most">{rate_per_s} per s</Line>}
          {state === 'running' && !held && outcomes.waiting > 0 && (
            <Line name="To the end, if it holds">
              {per_s ? durationText(outcomes.waiting / per_s) : <span className="faint">…</span>}
            </Line>
          )}
          {action === 'redrive' && answered > 0 && (
            <Line name="Fixed, of those answered">{((outcomes.fixed / answered) * 100).toFixed(1)} %</Line>
          )}
          {action === 'redrive' && outcomes.accepted > 0 && <Line name="Answer to follow">{outcomes.accepted}</Line>}
          {started_at && <Line name="Started">{whenText(started_at, as_of)} UTC</Line>}
          {finished_at && (
            <Line name={state === 'cancelled' ? 'Cancelled' : 'Finished'}>{whenText(finished_at, as_of)} UTC</Line>
          )}
          {started_at && finished_at && (
            <Line name="Took">{durationText((Date.parse(finished_at) - Date.parse(started_at)) / 1000)}</Line>
          )}
        </dl>
        {state === 'running' && (
          <>
            <div className="op-tp" role="img" aria-label={paceText(action === 'redrive' ? 'Sent' : 'Applied', seconds)}>
              {seconds.map((each, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: sixty places, each a second before now
                <i key={i} style={{ height: `${((each ?? 0) / peak) * 100}%` }} />
              ))}
            </div>
            <p className="cap op-tp-x">
              <span>1 min ago</span>
              <span>now</span>
            </p>
          </>
        )}
        {state !== 'running' && sentCount(operation) > 0 && outcomes.in_flight > 0 && (
          <p className="cap">Nothing more is sent. The answers still in flight are taken.</p>
        )}
      </div>
    </section>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function paceText(word: string, seconds: (number | null)[]): string {
  const seen = seconds.filter((each) => each !== null);
  if (seen.length === 0) return `${word} per second: nothing seen yet`;
  const mean = seen.reduce((sum, each) => sum + each, 0) / seen.length;
  return `${word} per second, over the last ${seen.length} s seen: ${mean.toFixed(1)} on average, at most ${Math.round(Math.max(...seen))}`;
}
