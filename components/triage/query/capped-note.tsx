'use client';
import { Popover } from '@/components/ui/popover';

/** Why the numbers are lower bounds, what makes them exact, and what is exact anyway. */
export function CappedNote() {
  return (
    <Popover
      label="At least"
      align="end"
      trigger={
        <button type="button" className="link">
          at least
        </button>
      }
    >
      <div className="capped-note">
        <p className="strong">More entries match than are counted.</p>
        <p>Every number of this page means “at least”, and the list may miss some.</p>
        <p className="dim">
          A rarer word, a phrase in quotes, a class, a task or a shorter period narrows it. An action counts its set
          exactly in its preview.
        </p>
      </div>
    </Popover>
  );
}
