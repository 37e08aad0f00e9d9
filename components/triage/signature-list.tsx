'use client';
import { ClassMark } from '@/components/ui/class-mark';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import { foldedText } from './entry-text.model';
import type { Shown } from './use-triage-answer';

/** The list grouped: thousands of failures are often a handful of errors. A click narrows the filter to one. */
export function SignatureList({ shown, onChoose }: { shown: Shown; onChoose: (signature: string) => void }) {
  const { signatures, as_of, facets } = shown.answer;
  const largest = Math.max(1, ...signatures.map(({ count }) => count));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <div className="list-s dims" tabIndex={0}>
      <table className="tbl signatures">
        <caption className="sr">Signatures by number of entries</caption>
        <thead>
          <tr>
            <th scope="col" className="c-sel">
              <span className="sr">Class</span>
            </th>
            <th scope="col">Error, numbers folded</th>
            <th scope="col" className="num s-time s-first">
              First failed
            </th>
            <th scope="col" className="num s-time">
              Last failed
            </th>
            <th scope="col" className="num s-count">
              Entries
            </th>
          </tr>
        </thead>
        <tbody>
          {signatures.map((each) => {
            const text = [each.error_type, each.error_text].filter(Boolean).join(': ');
            return (
              <tr key={each.signature} onClick={() => onChoose(each.signature)}>
                <td className="c-sel" title={each.failure_class}>
                  <ClassMark failure_class={each.failure_class} label />
                </td>
                <td title={`${text}\nsignature ${each.signature}`}>
                  <button type="button" className="trunc" aria-label={`Only signature ${text}`}>
                    <b>{each.error_type ?? 'no error type'}</b>{' '}
                    <span className="dim">{foldedText(each.error_text)}</span>
                  </button>
                </td>
                <td className="num s-first dim" title={exactText(each.first_seen)}>
                  {rowTimeText(each.first_seen, as_of)}
                </td>
                <td className="num" title={exactText(each.failed_at)}>
                  {rowTimeText(each.failed_at, as_of)}
                </td>
                <td className="num">
                  <span className="s-bar" style={{ '--p': `${(100 * each.count) / largest}%` }} />
                  {countText(each.count)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {facets.signature.distinct > signatures.length && (
        <p className="cap fmore-note">
          The {signatures.length} most frequent of {countText(facets.signature.distinct)} signatures.
        </p>
      )}
    </div>
  );
}
