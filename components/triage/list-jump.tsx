'use client';
import { type FormEvent, useState } from 'react';
import { Icon } from '@/components/ui/icon';
import { Popover } from '@/components/ui/popover';
import { exactText, momentText } from '@/components/ui/time-text';
import type { Order } from '@/lib/api/triage';
import { isTimeSort } from '@/lib/contract/triage';
import { jumpMoment } from './list-jump.model';

/** The button that the key leads to. */
export const JUMP_ID = 'jump-to-time';

const STEPS = [
  { text: '1h', label: '1 h ago' },
  { text: '24h', label: '24 h ago' },
  { text: '7d', label: '7 d ago' },
  { text: '30d', label: '30 d ago' },
] as const;

/** Goes to a moment in a list that is ordered by time, and back to where the list begins. `null` is its beginning. */
export function ListJump({ order, now, onJump }: { order: Order; now: string; onJump: (at: string | null) => void }) {
  const [open, setOpen] = useState(false);
  const [refused, setRefused] = useState(false);
  const { sort = 'failed_at', dir = 'desc', at = null } = order;
  const go = (moment: string | null) => {
    if (moment !== null) {
      onJump(moment);
      setOpen(false);
    }
    setRefused(moment === null);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go(jumpMoment(String(new FormData(event.currentTarget).get('moment') ?? ''), now));
  };
  const word = sort === 'first_seen' ? 'first failed' : 'last failed';
  return (
    <>
      {at !== null && (
        <span className="jumped cap">
          <span title={exactText(at)}>
            from <b>{momentText(at, now)}</b>
          </span>
          <button type="button" className="link" onClick={() => onJump(null)}>
            Back to {dir === 'desc' ? 'newest' : 'oldest'}
          </button>
        </span>
      )}
      <Popover
        label="Go to a time"
        align="end"
        open={open}
        onOpenChange={(next) => {
          setRefused(false);
          setOpen(next);
        }}
        trigger={
          <button type="button" id={JUMP_ID} className="btn btn-quiet btn-s" title="Go to a time in the list (t)">
            <Icon name="clock" />
            <span className="list-word">Go to time</span>
          </button>
        }
      >
        {isTimeSort(sort) ? (
          <form className="jump" onSubmit={submit}>
            <label className="jump-field">
              <span className="cap">
                To the first entry {dir === 'desc' ? 'at or before' : 'at or after'}, by {word}, UTC
              </span>
              <input
                className="input mono"
                name="moment"
                autoComplete="off"
                spellCheck={false}
                placeholder="2026-11-29 02:14"
                defaultValue={at === null ? '' : exactText(at).replace(' UTC', '')}
                aria-invalid={refused}
                aria-describedby="jump-help"
              />
            </label>
            <p id="jump-help" className={refused ? 'jump-refused' : 'faint'} role={refused ? 'alert' : undefined}>
              {refused
                ? 'No moment: write 2026-11-29 02:14, 02:14 for today, or 7d for 7 days ago'
                : 'Also 02:14, 7d, 12h'}
            </p>
            <p className="jump-steps">
              <button type="submit" className="btn btn-primary btn-s">
                Go
              </button>
              {STEPS.map(({ text, label }) => (
                <button key={text} type="button" className="btn btn-s" onClick={() => go(jumpMoment(text, now))}>
                  {label}
                </button>
              ))}
            </p>
          </form>
        ) : (
          <p className="jump cap">A time is gone to in a list that is sorted by last or first failed.</p>
        )}
      </Popover>
    </>
  );
}
