import { ClassMark } from '@/components/ui/class-mark';
import { countText } from '@/components/ui/number-text';
import { type Column, columnText } from './histogram.model';

/** One bar in numbers; `at` is its middle as a fraction of the plot. */
export function HistogramTip({ column, now, at }: { column: Column; now: string; at: number }) {
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
    </div>
  );
}
