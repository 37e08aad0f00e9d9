'use client';
import './repair.css';
import { type ReactNode, useId, useState } from 'react';
import { Popover } from '@/components/ui/popover';
import type { Entry } from '@/lib/contract/entry';
import { type EditChange, editRefusal, useEditPayload } from './use-edit-payload';

/** A button that asks back before it edits the payload: what changes, what stays, and why it is done. */
export function ConfirmEdit({
  entry,
  label,
  title,
  changes,
  change,
  refusal = null,
  align = 'end',
  told = true,
}: {
  entry: Entry;
  label: ReactNode;
  title: string;
  /** One line each of what becomes of what. */
  changes: readonly ReactNode[];
  change: EditChange;
  /** Why it cannot be done, beside what the state of the entry says. */
  refusal?: string | null;
  align?: 'start' | 'end';
  /** The request of a redrive will say that its payload is edited. */
  told?: boolean;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const edit = useEditPayload(entry);
  const refused = editRefusal(entry) ?? refusal;
  const missing = reason.trim() === '';
  if (refused !== null)
    // it opens all the same: why not must be found without a pointer
    return (
      <Popover
        label={title}
        align={align}
        trigger={
          <button type="button" className="btn btn-s" aria-disabled title={refused}>
            {label}
          </button>
        }
      >
        <div className="edit-ask">
          <p className="strong">It cannot be done now.</p>
          <p className="dim">{refused}.</p>
        </div>
      </Popover>
    );
  return (
    <Popover
      label={title}
      align={align}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) edit.reset();
      }}
      trigger={
        <button type="button" className="btn btn-s">
          {label}
        </button>
      }
    >
      <form
        className="edit-ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing) edit.mutate({ change, reason }, { onSuccess: () => setOpen(false) });
        }}
      >
        <p className="strong">{title}</p>
        <ul className="edit-l">
          {changes.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one edit stay in their order
            <li key={i}>{line}</li>
          ))}
          <li className="dim">
            {`What was captured stays, and so does the idempotency key.${told ? ' The target is told of the edit.' : ''}`}
          </li>
        </ul>
        <label htmlFor={id} className="cap">
          Why
        </label>
        <input
          id={id}
          className="input"
          maxLength={2000}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {edit.isError && (
          <p className="bad-t" role="alert">
            {edit.error.message}
          </p>
        )}
        <div className="edit-a">
          <button type="button" className="btn" onClick={() => setOpen(false)}>
            Cancel
          </button>
          <button
            type="submit"
            className="btn btn-primary"
            disabled={missing || edit.isPending}
            title={missing ? 'Say first why' : undefined}
          >
            {edit.isPending ? 'Saving' : 'Make it the payload'}
          </button>
        </div>
      </form>
    </Popover>
  );
}
