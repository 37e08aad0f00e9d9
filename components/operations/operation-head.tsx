'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { exactText } from '@/components/ui/time-text';
import type { Operation } from '@/lib/contract/operation';
import { CancelDialog } from './cancel-dialog';
import { durationText, whenText } from './duration-text';
import { operationNumber, operationTitle } from './operation.model';
import { OperationPill } from './operation-pill';

/** What it is, why, by whom and since when; and what steers it while it can be steered. */
export function OperationHead({
  operation,
  off,
  onSteer,
}: {
  operation: Operation;
  /** While nothing can be steered: no answer, or one on its way. */
  off: boolean;
  onSteer: (verb: 'pause' | 'resume' | 'cancel') => void;
}) {
  const [asking, setAsking] = useState(false);
  const { id, state, reason, actor, started_at, finished_at, as_of } = operation;
  return (
    <header className="op-h">
      <div>
        <p className="cap">
          <Link className="link" href="/operations">
            Operations
          </Link>{' '}
          / <span className="mono">{operationNumber(id)}</span>
        </p>
        <h1>
          {operationTitle(operation)} <OperationPill operation={operation} />
        </h1>
        <p className="dim op-why">
          {reason && `“${reason}” · `}
          {actor}
          {started_at && (
            <>
              {' · started '}
              <time dateTime={started_at} title={exactText(started_at)}>
                {whenText(started_at, as_of)} UTC
              </time>
            </>
          )}
          {started_at &&
            finished_at &&
            ` · ${state === 'cancelled' ? 'cancelled' : 'done'} after ${durationText((Date.parse(finished_at) - Date.parse(started_at)) / 1000)}`}
        </p>
      </div>
      {(state === 'running' || state === 'paused') && (
        <div className="op-a">
          <button
            type="button"
            className={`btn${state === 'paused' ? ' btn-primary' : ''}`}
            disabled={off}
            onClick={() => onSteer(state === 'running' ? 'pause' : 'resume')}
          >
            <Icon name={state === 'running' ? 'pause' : 'play'} />
            {state === 'running' ? 'Pause' : 'Resume'}
            <kbd>p</kbd>
          </button>
          <button type="button" className="btn btn-danger" disabled={off} onClick={() => setAsking(true)}>
            Cancel the rest…
          </button>
        </div>
      )}
      <CancelDialog
        open={asking && (state === 'running' || state === 'paused')}
        operation={operation}
        onClose={() => setAsking(false)}
        onCancel={() => {
          setAsking(false);
          onSteer('cancel');
        }}
      />
    </header>
  );
}
