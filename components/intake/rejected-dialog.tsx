'use client';
import Link from 'next/link';
import { useRef } from 'react';
import { CopyButton } from '@/components/evidence/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { exactText } from '@/components/ui/time-text';
import type { RejectedLineState, SpoolSourceState } from '@/lib/contract/spool';
import { reasonWords, sideFileOf } from './rejected.model';
import { placeText } from './spool.model';
import type { LineResult, LineVerb } from './use-line-act';
import { visibleText } from './visible-text.model';

/** One line whole: why it was not taken, its text, where it lies, and what can be done. */
export function RejectedDialog({
  line,
  sources,
  said,
  busy,
  onAct,
  onClose,
}: {
  line: RejectedLineState | null;
  sources: readonly SpoolSourceState[];
  said: LineResult | null;
  busy: boolean;
  onAct: (verb: LineVerb) => void;
  onClose: () => void;
}) {
  // what was shown stays while the dialog closes
  const last = useRef(line);
  if (line) last.current = line;
  const shown = line ?? last.current;
  if (!shown) return null;
  const words = reasonWords(shown.reason);
  const isOpen = shown.dismissed_at === null && !said?.is_done;
  return (
    <Dialog
      open={line !== null}
      onClose={onClose}
      width={760}
      title={`Line ${countText(shown.line)}: ${words.word}`}
      description={
        <>
          {words.means} {words.helps}
        </>
      }
      footer={
        <>
          <Said said={said} />
          <span className="in-foot">
            {isOpen ? (
              <>
                <button type="button" className="btn" disabled={busy} onClick={() => onAct('dismiss')}>
                  Set aside
                </button>
                <button type="button" className="btn btn-primary" disabled={busy} onClick={() => onAct('retry')}>
                  {busy ? 'Working…' : 'Try again'}
                </button>
              </>
            ) : (
              <button type="button" className="btn" onClick={onClose}>
                Close
              </button>
            )}
          </span>
        </>
      }
    >
      <Facts line={shown} sources={sources} />
      <div className="in-text-h">
        <h3 className="cap">{shown.is_whole ? 'Its text' : 'Its beginning; all of it lies in its file'}</h3>
        <CopyButton text={shown.head} what="Text" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <pre className="in-text mono" tabIndex={0} dir="ltr">
        {visibleText(shown.head)}
      </pre>
    </Dialog>
  );
}

function Facts({ line, sources }: { line: RejectedLineState; sources: readonly SpoolSourceState[] }) {
  const side = sideFileOf(line, sources);
  return (
    <dl className="in-facts">
      <div>
        <dt>Because</dt>
        <dd className="in-any">{visibleText(line.message)}</dd>
      </div>
      <div>
        <dt>File</dt>
        <dd className="mono in-any">{visibleText(placeText(line))}</dd>
      </div>
      <div>
        <dt>Byte</dt>
        <dd>
          {countText(line.byte_offset)} of the file; seen {exactText(line.at)}
        </dd>
      </div>
      <div>
        <dt>Side file</dt>
        <dd>
          <span className="mono in-any">{visibleText(side.path)}</span> <CopyButton text={side.path} what="Path" />
          {!side.is_certain && (
            <span className="cap in-block">beside the file, unless dlo ingest was given --rejected</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Said({ said }: { said: LineResult | null }) {
  return (
    <p className={`in-said ${said && !said.is_done ? 'bad-t' : ''}`} role="status">
      {said && (
        <>
          <Icon name={said.is_done ? 'check' : 'circle-alert'} className={said.is_done ? 'ok-t' : 'bad-t'} />
          <span className="in-any">
            {visibleText(said.text)}
            {said.is_done && '.'}{' '}
            {said.entry_id && (
              <Link className="link" href={`/dead-letters/${said.entry_id}`}>
                Entry {said.entry_id}
              </Link>
            )}
          </span>
        </>
      )}
    </p>
  );
}
