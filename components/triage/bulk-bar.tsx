'use client';
import { boundText, countText } from '@/components/ui/number-text';
import type { Action } from '@/lib/contract/operation';
import { NO_TICKS, type Scope, scopeOf, scopeText, type Ticks } from './scope.model';
import type { Shown } from './use-triage-answer';

export type OnAct = (action: Action, scope: Scope) => void;

const ACTIONS: readonly { action: Action; label: string }[] = [
  { action: 'redrive', label: 'Redrive…' },
  { action: 'abandon', label: 'Abandon…' },
  { action: 'quarantine', label: 'Quarantine…' },
];

/** Acts on what it says: the ticked, everything that matches, or the open entry. A preview always comes first. */
export function BulkBar({
  shown,
  ticks,
  outside,
  openId,
  off,
  onTicks,
  onAct,
}: {
  shown: Shown | null;
  ticks: Ticks;
  /** Says how many of the ticked are not in the list, or null. */
  outside: string | null;
  openId: string | null;
  /** Why the buttons do nothing now, or null. */
  off: string | null;
  onTicks: (ticks: Ticks) => void;
  onAct: OnAct;
}) {
  const total = shown?.answer.total ?? 0;
  const scope = scopeOf(ticks, shown?.filter ?? {}, total);
  const picked = ticks.kind === 'all' || ticks.ids.size > 0;
  const buttons = (target: Scope, primary: boolean, disabled: boolean) =>
    ACTIONS.map(({ action, label }, i) => (
      <button
        key={action}
        type="button"
        className={`btn${primary && i === 0 ? ' btn-primary' : ''}`}
        disabled={disabled}
        title={off ?? undefined}
        onClick={() => onAct(action, target)}
      >
        {label}
      </button>
    ));
  return (
    <footer className="foot">
      <div className={`bulk${picked ? ' ticked' : ''}`} role="toolbar" aria-label={`Actions on ${scopeText(scope)}`}>
        <span className="scope">
          {scope.kind === 'ids' ? (
            <>
              <b>{countText(scope.ids.length)}</b> ticked
              {shown && total > scope.ids.length && (
                <>
                  {' '}
                  <button type="button" className="link" onClick={() => onTicks({ kind: 'all' })}>
                    or all {boundText(total, shown.answer.capped)} matching
                  </button>
                </>
              )}
            </>
          ) : (
            <>
              {ticks.kind === 'all' && 'all '}
              <b>{shown ? boundText(total, shown.answer.capped) : '…'}</b> matching
            </>
          )}
        </span>
        {buttons(scope, true, off !== null || (scope.kind === 'filter' && total === 0))}
        {picked && (
          <button type="button" className="btn btn-quiet" onClick={() => onTicks(NO_TICKS)}>
            Untick
          </button>
        )}
        <span className="cap hint">
          {outside ??
            off ??
            (scope.kind === 'filter' && shown?.answer.capped
              ? 'The preview counts all of them exactly'
              : picked
                ? ''
                : 'Tick rows to act on those alone')}
        </span>
      </div>
      {openId && (
        <div className="one" role="toolbar" aria-label="Actions on this entry">
          <span className="scope">This entry</span>
          {buttons({ kind: 'entry', id: openId }, false, off !== null)}
        </div>
      )}
    </footer>
  );
}
