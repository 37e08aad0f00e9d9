import { Icon } from '@/components/ui/icon';
import { countedText } from '@/components/ui/number-text';
import type { ProblemWords } from './problem-words';

/** What went wrong, that nothing was changed, and the one thing that helps. */
export function PreviewProblem({
  words: { title, text, next },
  onNext,
}: {
  words: ProblemWords;
  onNext: (next: 'again' | 'freeze') => void;
}) {
  return (
    <div className="note note-warn pv-note" role="alert">
      <Icon name="triangle-alert" />
      <div>
        <p className="strong">{title}</p>
        <p className="dim">{text}</p>
      </div>
      {next && (
        <button type="button" className="btn btn-s" onClick={() => onNext(next)}>
          {next === 'freeze' ? 'Freeze again' : 'Try again'}
        </button>
      )}
    </div>
  );
}

/** A filter that names nothing: “all” has to be said, not left out. */
export function NoCondition({ total, onTakeAll }: { total: number; onTakeAll: () => void }) {
  return (
    <div className="note pv-note">
      <Icon name="filter" />
      <div>
        <p className="strong">The filter has no condition.</p>
        <p className="dim">
          That would take every unresolved entry. Add a condition that names what you mean, or say that it is all of
          them.
        </p>
        <p className="pv-row">
          <button type="button" className="btn btn-s" onClick={onTakeAll}>
            Preview all {countedText(total, 'unresolved entry', 'unresolved entries')}
          </button>
        </p>
      </div>
    </div>
  );
}

/** While the set is frozen: the shape of what comes. */
export function PreviewSkeleton() {
  return (
    <div className="pv-skel" role="status" aria-label="Freezing the set">
      <div className="pv-split">
        <div className="pv-elig">
          <i className="skel-bar" style={{ width: 96, height: 22 }} />
          <i className="skel-bar" style={{ width: 88 }} />
        </div>
        <div className="pv-skipped">
          {[180, 236, 148, 208].map((width) => (
            <i key={width} className="skel-bar" style={{ width }} />
          ))}
        </div>
      </div>
      {[320, 240, 400].map((width) => (
        <i key={width} className="skel-bar" style={{ width }} />
      ))}
    </div>
  );
}
