import Link from 'next/link';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { RejectedLineState } from '@/lib/contract/spool';
import { messageHead, reasonWords } from './rejected.model';
import { placeText } from './spool.model';
import type { LineVerb } from './use-line-act';
import { visibleText } from './visible-text.model';

/** Of a head only this much is in the list: a row shows less, and 100 heads of 4 kB are slow to lay out. */
const HEAD_CHARS = 160;

/** `onAct` is null where nothing is to be done any more. */
export function RejectedTable({
  lines,
  now,
  busy_id,
  onOpen,
  onAct,
}: {
  lines: readonly RejectedLineState[];
  now: number;
  busy_id: string | null;
  onOpen: (line: RejectedLineState) => void;
  onAct: ((id: string, verb: LineVerb) => void) | null;
}) {
  return (
    <table className="tbl in-tbl in-lines" aria-label="Lines that could not be taken, newest first">
      <thead>
        <tr>
          <th className="num r-t">When</th>
          <th className="r-r">Reason</th>
          <th className="r-f">File</th>
          <th className="num r-n">Line</th>
          <th className="r-h">It begins</th>
          <th className="r-a">{onAct ? <span className="sr">Actions</span> : 'Dealt with'}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className="num mono dim" title={exactText(line.at)}>
              {rowTimeText(line.at, now)}
            </td>
            <td>
              <button type="button" className="in-open trunc" onClick={() => onOpen(line)}>
                {reasonWords(line.reason).word}
                <span className="sr">
                  , line {line.line} of {visibleText(line.name)}: show it
                </span>
              </button>
              <span className="cap in-block in-wrap">{visibleText(messageHead(line.message))}</span>
              <span className="cap trunc in-block narrow">
                {visibleText(line.name)}:{line.line}
              </span>
            </td>
            <td className="mono dim" title={placeText(line)}>
              {visibleText(line.name)}
            </td>
            <td className="num mono">{countText(line.line)}</td>
            <td className="mono dim">
              <bdi dir="ltr">{visibleText(line.head.slice(0, HEAD_CHARS))}</bdi>
            </td>
            <td className="r-a">
              {onAct ? (
                <span className="in-acts">
                  <button
                    type="button"
                    className="btn btn-s"
                    disabled={busy_id !== null}
                    onClick={() => onAct(line.id, 'retry')}
                  >
                    {busy_id === line.id ? 'Working…' : 'Try again'}
                    <span className="sr"> line {line.line}</span>
                  </button>
                  <button
                    type="button"
                    className="btn btn-s btn-quiet"
                    disabled={busy_id !== null}
                    onClick={() => onAct(line.id, 'dismiss')}
                  >
                    Set aside<span className="sr"> line {line.line}</span>
                  </button>
                </span>
              ) : (
                <DealtWith line={line} now={now} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DealtWith({ line, now }: { line: RejectedLineState; now: number }) {
  const { entry_id, dismissed_at, dismissed_by } = line;
  return (
    <span className="dim">
      {entry_id ? (
        <>
          stored as{' '}
          <Link className="link" href={`/dead-letters/${entry_id}`} prefetch={false}>
            entry {entry_id}
          </Link>
        </>
      ) : (
        'set aside'
      )}
      {dismissed_by && ` by ${visibleText(dismissed_by)}`}
      {dismissed_at && `, ${rowTimeText(dismissed_at, now)}`}
    </span>
  );
}
