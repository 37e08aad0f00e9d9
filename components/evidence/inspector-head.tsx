'use client';
import { useState } from 'react';
import { foldNumbers, keyTitle, shownKey } from '@/components/triage/entry-text.model';
import { ClassMark } from '@/components/ui/class-mark';
import { Icon } from '@/components/ui/icon';
import { CameBackPill, StatePill } from '@/components/ui/state-pill';
import type { Entry } from '@/lib/contract/entry';
import { CodeVersion } from './code-version';
import { CopyButton } from './copy-button';
import { Moment } from './moment';
import { Steps, type StepsProps } from './steps';

/** Longer texts fold to one line. */
const ONE_LINE = 64;

export function InspectorHead({ entry, now, steps }: { entry: Entry; now: number; steps: StepsProps }) {
  const { error_type, error_text } = entry;
  return (
    <header className="insp-h">
      <div className="insp-t">
        <ClassMark failure_class={entry.failure_class} label />
        <h2 className="mono trunc" title={keyTitle(entry)}>
          {shownKey(entry)}
        </h2>
        <CopyButton text={shownKey(entry)} what="Work key" />
        <StatePill state={entry.state} resolution={entry.resolution} />
        <CameBackPill reopen_count={entry.reopen_count} />
        <Steps {...steps} id={entry.id} />
      </div>
      <p className="insp-m cap">
        <span>failed {entry.attempts === 1 ? 'once' : `${entry.attempts} times`}</span>
        <span>
          last <Moment at={entry.failed_at} now={now} clock /> UTC
        </span>
        <span>
          first <Moment at={entry.first_seen} now={now} />
        </span>
        <CodeVersion entry={entry} now={now} />
        <span className="trunc" title={`${entry.failure_class}, task ${entry.task_name}`}>
          task <span className="mono">{entry.task_name}</span>
        </span>
        {entry.run_id && (
          <span className="trunc wide-only" title={entry.run_id}>
            run <span className="mono">{entry.run_id}</span>
          </span>
        )}
      </p>
      <ErrorText key={entry.id} type={error_type} text={error_text} />
    </header>
  );
}

/** Type and text of the error in one line, its numbers folded where it would be too long, until the whole is asked for. */
function ErrorText({ type, text }: { type: string | null; text: string | null }) {
  const [open, setOpen] = useState(false);
  const first = (text ?? '').split('\n')[0] ?? '';
  const long = first.length + (type ?? '').length > ONE_LINE;
  const line = long ? foldNumbers(first) : first;
  const more = long || first !== (text ?? '');
  if (!type && !text) return <p className="insp-e faint">no error text was captured</p>;
  return (
    <div className={`insp-e mono${open ? ' is-open' : ''}`}>
      <p className={open ? '' : 'trunc'} title={open ? undefined : [type, text].filter(Boolean).join(': ')}>
        {type && <b>{type}</b>} {open ? text : line}
      </p>
      {more && (
        <button type="button" className="btn btn-quiet btn-s" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Less' : 'More'}
          <Icon name={open ? 'chevron-up' : 'chevron-down'} />
        </button>
      )}
    </div>
  );
}
