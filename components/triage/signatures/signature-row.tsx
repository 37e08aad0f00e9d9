import { memo } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import { foldedText } from '../entry-text.model';
import type { SignatureRow as Row } from './signature.model';
import { shareText, tasksText } from './signature.model';
import { Sparkline } from './sparkline';

export const signatureRowId = (signature: string) => `signature-${signature}`;

/** A click narrows the filter to the signature; its example opens the newest entry. */
export const SignatureRow = memo(function SignatureRow({
  row,
  index,
  now,
  largest,
  cursor,
  trends,
  onChoose,
  onExample,
}: {
  row: Row;
  index: number;
  now: string;
  /** The count of the most frequent signature. */
  largest: number;
  cursor: boolean;
  trends: 'loading' | 'failed' | 'there';
  onChoose: (signature: string) => void;
  onExample: (id: string) => void;
}) {
  const text = [row.error_type, row.error_text].filter(Boolean).join(': ');
  const tasks = tasksText(row);
  return (
    <tr
      id={signatureRowId(row.signature)}
      aria-rowindex={index + 2}
      className={cursor ? 'is-cursor' : undefined}
      onClick={() => onChoose(row.signature)}
    >
      <td className="c-sel" title={row.failure_class}>
        <ClassMark failure_class={row.failure_class} label />
      </td>
      <td title={`${text}\nsignature ${row.signature}`}>
        <span className="trunc">
          <b>{row.error_type ?? 'no error type'}</b> <span className="dim">{foldedText(row.error_text)}</span>
        </span>
      </td>
      <td className="s-tasks mono dim" title={row.tasks.join(', ')}>
        {tasks || (trends === 'loading' ? <i className="skel-bar" /> : '–')}
      </td>
      <td className="s-trend">
        {row.trend ? <Sparkline trend={row.trend} /> : trends === 'loading' ? <i className="skel-bar" /> : '–'}
      </td>
      <td className="num s-share dim">{row.share === null ? '–' : shareText(row.share)}</td>
      <td className="num s-first dim" title={exactText(row.first_seen)}>
        {rowTimeText(row.first_seen, now)}
      </td>
      <td className="num" title={exactText(row.failed_at)}>
        {rowTimeText(row.failed_at, now)}
      </td>
      <td className="num">
        <span className="s-bar" style={{ '--p': `${(100 * row.count) / largest}%` }} />
        {countText(row.count)}
      </td>
      <td className="s-example">
        <button
          type="button"
          className="btn btn-quiet btn-icon btn-s"
          tabIndex={cursor ? 0 : -1}
          aria-label={`Open the newest entry of ${row.error_type ?? 'this signature'}`}
          title="Open its newest entry"
          onClick={(event) => {
            event.stopPropagation();
            onExample(row.example_id);
          }}
        >
          <Icon name="arrow-up-right" />
        </button>
      </td>
    </tr>
  );
});
