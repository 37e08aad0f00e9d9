import { ClassMark } from '@/components/ui/class-mark';
import { countText } from '@/components/ui/number-text';
import { type Column, columnText } from './histogram.model';

/** Of the versions that begin in one bar this many are named. */
const NAMED = 4;

/** One bar in numbers; `at` is its middle as a fraction of the plot. */
export function HistogramTip({
  column,
  versions,
  marked,
  now,
  at,
}: {
  column: Column;
  /** The marked code versions that begin in it. */
  versions: readonly string[];
  /** How many versions are marked at all, where that is not every one. */
  marked: string | null;
  now: string;
  at: number;
}) {
  const place = at > 0.6 ? { right: `${(1 - at) * 100}%`, marginRight: 12 } : { left: `${at * 100}%`, marginLeft: 12 };
  return (
    <div className="tip" style={{ ...place, top: 4 }} role="presentation">
      <p>
        <span className="cap">{columnText(column, now)}</span>
        <b>{countText(column.total)}</b>
      </p>
      <ul>
        {column.counts.map(({ failure_class, count }) => (
          <li key={failure_class}>
            <ClassMark failure_class={failure_class} />
            {failure_class === 'other' ? 'other words' : failure_class}
            <b>{countText(count)}</b>
          </li>
        ))}
      </ul>
      {column.total === 0 && <span className="cap">Nothing failed</span>}
      {versions.length > 0 && (
        <span className="cap">
          first failed: {versions.slice(-NAMED).join(', ')}
          {versions.length > NAMED && ` and ${countText(versions.length - NAMED)} more versions`}
        </span>
      )}
      {versions.length > 0 && marked && <span className="cap">{marked}</span>}
    </div>
  );
}
