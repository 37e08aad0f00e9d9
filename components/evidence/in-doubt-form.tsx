'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { decideInDoubt } from '@/lib/api/entry';
import type { Entry } from '@/lib/contract/entry';
import type { InDoubtDecision } from '@/lib/contract/task';

const DECISIONS: readonly { decision: InDoubtDecision['decision']; label: string; effect: string }[] = [
  { decision: 'happened', label: 'It ran', effect: 'resolved as fixed' },
  { decision: 'did_not', label: 'It did not run', effect: 'open again, with all its redrives' },
];

/** A sent redrive without an answer: only a person who has looked at the pipeline can say what became of it. */
export function InDoubtForm({ entry }: { entry: Entry }) {
  const id = useId();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const decide = useMutation({
    mutationFn: (decision: InDoubtDecision['decision']) =>
      decideInDoubt(entry.id, { version: entry.version, decision, reason: reason.trim() }),
    onSettled: () => client.invalidateQueries(),
  });
  const missing = reason.trim() === '';
  return (
    <form className="note note-warn in-doubt" onSubmit={(event) => event.preventDefault()}>
      <Icon name="circle-help" />
      <div>
        <p className="strong">Sent, and nothing is known of it.</p>
        <p className="dim">Look in the pipeline for its idempotency key, then say what happened.</p>
        <label htmlFor={id} className="cap">
          How you know
        </label>
        <input
          id={id}
          className="input"
          maxLength={2000}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="acts">
          {DECISIONS.map(({ decision, label, effect }) => (
            <button
              key={decision}
              type="button"
              className="btn"
              disabled={missing || decide.isPending}
              title={missing ? 'Say first how you know' : effect}
              onClick={() => decide.mutate(decision)}
            >
              {label}
              <span className="faint">{effect}</span>
            </button>
          ))}
        </div>
        {decide.isError && (
          <p className="bad-t" role="alert">
            {decide.error.message}
          </p>
        )}
      </div>
    </form>
  );
}
