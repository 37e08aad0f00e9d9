'use client';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { ageText, clockText } from '@/components/ui/time-text';
import { ApiError } from '@/lib/api/api-error';
import type { Operation } from '@/lib/contract/operation';
import { FrozenSet } from './frozen-set';
import './operation.css';
import './operation-progress.css';
import './operation-tables.css';
import { pausedText } from './operation.model';
import { OperationHead } from './operation-head';
import { OperationItems } from './operation-items';
import { OperationKeys } from './operation-keys';
import { OperationNow } from './operation-now';
import { OperationProgress } from './operation-progress';
import { takenCount } from './outcomes.model';
import { useOperation } from './use-operation';
import { useOutcomeTab } from './use-outcome-tab';

/** One operation: durable, live while it runs, and accounting for every entry of its set afterwards. */
export function OperationPage({ id }: { id: string }) {
  const { operation, error, retry, steer, steering } = useOperation(id);
  if (!operation) return <NoOperation id={id} error={error} onRetry={retry} />;
  const canPause = operation.state === 'running' || operation.state === 'paused';
  const off = error !== null || steering;
  return (
    <main id="main" className="op">
      <OperationKeys
        onPause={canPause && !off ? () => steer(operation.state === 'running' ? 'pause' : 'resume') : null}
      />
      <OperationHead operation={operation} off={off} onSteer={steer} />
      {error && <Away shown={operation} error={error} onRetry={retry} />}
      {operation.state === 'paused' && <Paused operation={operation} />}
      <p className="sr" role="status">
        {tenths(operation)}
      </p>
      <div className="op-g">
        <div className="op-m">
          <OperationProgress operation={operation} />
          <Items operation={operation} />
        </div>
        <aside className="op-s" aria-label="About this operation">
          <OperationNow operation={operation} away={error !== null} />
          <FrozenSet operation={operation} />
          <p className="cap op-note">{noteOf(operation)}</p>
        </aside>
      </div>
    </main>
  );
}

function Items({ operation }: { operation: Operation }) {
  const [outcome, setOutcome] = useOutcomeTab();
  return <OperationItems operation={operation} outcome={outcome} onOutcome={setOutcome} />;
}

function noteOf({ action, state, outcomes }: Operation): string {
  const cancel =
    state === 'running' || state === 'paused' ? ' Cancel stops what is waiting; those entries stay as they are.' : '';
  if (action !== 'redrive') return `What was applied stands in the history of each entry.${cancel}`;
  const doubt = outcomes.in_doubt > 0 ? ' In doubt: the pipeline may have run it; decide so in its entry.' : '';
  return `What was sent cannot be unsent.${cancel}${doubt}`;
}

/** Said aloud every tenth of the way, and at its end. */
function tenths(operation: Operation): string {
  if (operation.state !== 'running') return `${operation.state}`;
  const share = operation.eligible === 0 ? 1 : takenCount(operation) / operation.eligible;
  return `${Math.floor(share * 10) * 10} % done`;
}

function Paused({ operation: { paused_because, outcomes, action } }: { operation: Operation }) {
  return (
    <div className="note note-warn op-banner">
      <Icon name="pause" />
      <div>
        <p className="strong">{pausedText(paused_because)}</p>
        <p className="dim">
          {countText(outcomes.waiting)} wait. Resume {action === 'redrive' ? 'sends' : 'changes'} them; Cancel the rest
          leaves them as they are.
        </p>
      </div>
    </div>
  );
}

function Away({ shown, error, onRetry }: { shown: Operation; error: Error; onRetry: () => void }) {
  return (
    <div className="note op-banner" role="alert">
      <Icon name="circle-alert" className="bad-t" />
      <div>
        <p className="strong bad-t">{awayTitle(error)}</p>
        <p className="dim">
          Shown: {clockText(shown.as_of)}, {ageText(Date.now() - Date.parse(shown.as_of))} old. Actions are off; the
          operation is kept and goes on by itself.
        </p>
      </div>
      <button type="button" className="btn btn-s" onClick={onRetry}>
        Try now
      </button>
    </div>
  );
}

function awayTitle(error: Error): string {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'database_unavailable') return 'The database does not answer.';
  return code === 'network' ? 'The server does not answer.' : `It could not be read again: ${error.message}.`;
}

function NoOperation({ id, error, onRetry }: { id: string; error: Error | null; onRetry: () => void }) {
  const missing = error instanceof ApiError && error.code === 'not_found';
  return (
    <main id="main" className="plain-page">
      <OperationKeys />
      <h1>{missing ? `There is no operation ${id}.` : error ? 'The operation could not be read.' : 'Operation'}</h1>
      <p className="dim" role="status">
        {missing ? 'A preview that was never started is none.' : error ? `${error.message}.` : 'Loading…'}
      </p>
      {error && !missing && (
        <p className="row">
          <button type="button" className="btn" onClick={onRetry}>
            Try now
          </button>
        </p>
      )}
    </main>
  );
}
