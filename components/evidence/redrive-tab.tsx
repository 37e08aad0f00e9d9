'use client';
import { useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import type { Entry } from '@/lib/contract/entry';
import { CopyButton } from './copy-button';
import { InDoubtForm } from './in-doubt-form';
import { actionRefusal, bodyLines, type EntryAction, faithfulnessWords } from './redrive.model';

const ACTIONS: readonly { action: EntryAction; label: string }[] = [
  { action: 'redrive', label: 'Redrive…' },
  { action: 'abandon', label: 'Abandon…' },
  { action: 'quarantine', label: 'Quarantine…' },
  { action: 'reopen', label: 'Reopen…' },
];

/** Can it go back, where to, and exactly what would be sent. */
export function RedriveTab({ entry, onAct }: { entry: Entry; onAct?: (action: EntryAction, entry: Entry) => void }) {
  const { strong, rest } = faithfulnessWords(entry.faithfulness);
  const { faithful } = entry.faithfulness;
  const send = entry.would_send;
  return (
    <>
      <div className={`note${faithful ? '' : ' note-warn'}`}>
        <Icon name={faithful ? 'check' : 'triangle-alert'} />
        <div>
          <p className="strong">{strong}</p>
          {rest && <p className="dim">{rest}</p>}
        </div>
      </div>
      {onAct && entry.state === 'in_doubt' && <InDoubtForm key={entry.version} entry={entry} />}
      <dl className="facts">
        <div>
          <dt>State</dt>
          <dd>
            {entry.state.replaceAll('_', ' ')}
            {entry.resolution && `, ${entry.resolution}`}
            {entry.resolution_reason && <span className="faint"> {entry.resolution_reason}</span>}
          </dd>
        </div>
        <div>
          <dt>Redrives</dt>
          <dd>
            {entry.redrive_attempts} of {entry.max_redrives}
            {entry.redrive_total > entry.redrive_attempts && (
              <span className="faint">, {entry.redrive_total} ever</span>
            )}
            {entry.redrive_attempts >= entry.max_redrives && <span className="warn-t"> at the cap</span>}
          </dd>
        </div>
        <div>
          <dt>Target</dt>
          <dd className="mono">{entry.manifest?.target ?? <span className="faint">none</span>}</dd>
        </div>
        <div>
          <dt>Owner</dt>
          <dd>{entry.manifest?.owner ?? <span className="faint">none named</span>}</dd>
        </div>
        <div className="whole">
          <dt>Idempotency key</dt>
          <dd className="mono">{entry.idempotency_key}</dd>
        </div>
      </dl>
      {onAct && (
        <div className="acts" role="toolbar" aria-label="Actions on this entry">
          {ACTIONS.map(({ action, label }) => {
            const refusal = actionRefusal(action, entry);
            return (
              <button
                key={action}
                type="button"
                className={`btn${action === 'redrive' ? ' btn-primary' : ''}`}
                disabled={refusal !== null}
                title={refusal ?? undefined}
                onClick={() => onAct(action, entry)}
              >
                {label}
              </button>
            );
          })}
        </div>
      )}
      <div className="sub">
        <h3>What would be sent</h3>
        {send && (
          <span className="right">
            <CopyButton text={send.body} what="Body" words />
          </span>
        )}
      </div>
      {send ? (
        <>
          <dl className="params headers">
            {Object.entries(send.headers).map(([name, value]) => (
              <div key={name}>
                <dt className="mono">{name}</dt>
                <dd className="mono">{value}</dd>
              </div>
            ))}
          </dl>
          <Body key={entry.id} text={bodyLines(send.body)} />
          <p className="cap">
            {faithful
              ? 'Line breaks are for reading. What was sent cannot be unsent.'
              : 'Shown for reading only: it is refused before anything is sent.'}
          </p>
        </>
      ) : (
        <p className="dim">
          {faithful ? 'The body is not shown to your role.' : 'Nothing: there is no body to build.'}
        </p>
      )}
    </>
  );
}

/** A geometry of a megabyte is two million digits: laid out only when somebody asks for them. */
const SHOWN_AT_ONCE = 6000;

function Body({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const cut = !whole && text.length > SHOWN_AT_ONCE;
  return (
    <>
      <pre className="code">{cut ? `${text.slice(0, SHOWN_AT_ONCE)}…` : text}</pre>
      {cut && (
        <button type="button" className="btn btn-s" onClick={() => setWhole(true)}>
          Show all {countText(text.length)} characters
        </button>
      )}
    </>
  );
}
