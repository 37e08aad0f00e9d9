import { Icon } from '@/components/ui/icon';
import { ApiError } from '@/lib/api/api-error';
import { sentence } from './known.model';
import { Steps, type StepsProps } from './steps';

/** First load: nothing for 150 ms, then the shape of what comes. */
export function InspectorSkeleton({ id, steps }: { id: string; steps: StepsProps }) {
  return (
    <div className="insp-in" aria-busy>
      <header className="insp-h">
        <div className="insp-t">
          <i className="skel-bar after-150" style={{ width: 180 }} />
          <Steps {...steps} id={id} />
        </div>
        <i className="skel-bar after-150" style={{ width: 300 }} />
        <i className="skel-bar after-150" style={{ width: 380 }} />
      </header>
      <div className="tabs" />
      <div className="insp-body">
        <p className="sr" role="status">
          Loading the entry
        </p>
        <EvidenceSkeleton />
      </div>
    </div>
  );
}

export function EvidenceSkeleton() {
  return (
    <div className="after-150" aria-busy>
      <i className="skel-bar" style={{ width: '70%' }} />
      <div className="panes">
        <div className="pane">
          <div className="pane-c" />
        </div>
        <div className="pane">
          <div className="pane-c" />
        </div>
      </div>
    </div>
  );
}

/** The entry is gone, not for this role, or the server does not answer. */
export function InspectorProblem({
  id,
  error,
  steps,
  onRetry,
}: {
  id: string;
  error: Error;
  steps: StepsProps;
  onRetry: () => void;
}) {
  return (
    <div className="insp-in">
      <header className="insp-h">
        <div className="insp-t">
          <h2 className="mono">{id}</h2>
          <Steps {...steps} id={id} />
        </div>
      </header>
      <div className="tabs" />
      <div className="insp-body">
        <Problem error={error} onRetry={onRetry} />
      </div>
    </div>
  );
}

const code = (error: Error) => (error instanceof ApiError ? error.code : 'unknown');

export function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const gone = code(error) === 'not_found';
  return (
    <div className="insp-x" role="alert">
      <p className={`strong${gone ? '' : ' bad-t'}`}>
        <Icon name={gone ? 'circle-help' : 'circle-alert'} />{' '}
        {gone
          ? 'There is no entry of this number.'
          : code(error) === 'network'
            ? 'The server cannot be reached.'
            : 'It could not be loaded.'}
      </p>
      {code(error) !== 'network' && (
        <p className="dim">
          {gone
            ? 'Entries are never deleted: an address may have been cut off when it was copied.'
            : sentence(error.message)}
        </p>
      )}
      {!gone && (
        <button type="button" className="btn btn-s" onClick={onRetry}>
          Try now
        </button>
      )}
    </div>
  );
}
