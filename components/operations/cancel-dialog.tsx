'use client';
import { Dialog } from '@/components/ui/dialog';
import { countedText, countText } from '@/components/ui/number-text';
import type { Operation } from '@/lib/contract/operation';
import { sentCount } from './outcomes.model';

/** Asks once, with what it does and what it cannot. */
export function CancelDialog({
  open,
  operation: { action, state, outcomes },
  onClose,
  onCancel,
}: {
  open: boolean;
  operation: Operation;
  onClose: () => void;
  onCancel: () => void;
}) {
  const { waiting, in_flight } = outcomes;
  const done = action === 'redrive' ? sentCount({ outcomes }) : outcomes.applied;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width={460}
      title="Cancel the rest?"
      description={`${countedText(waiting, 'entry that waits stays', 'entries that wait stay')} as ${waiting === 1 ? 'it is' : 'they are'}.`}
      footer={
        <>
          <button type="button" className="btn op-keep" onClick={onClose}>
            {state === 'paused' ? 'Keep it' : 'Keep going'}
          </button>
          <button type="button" className="btn btn-danger" onClick={onCancel}>
            Cancel {countText(waiting)}
          </button>
        </>
      }
    >
      <p className="dim">
        {action === 'redrive'
          ? `${countText(done)} ${done === 1 ? 'was' : 'were'} sent and cannot be unsent${in_flight > 0 ? `; the answers of ${countText(in_flight)} in flight are still taken` : ''}.`
          : `${countText(done)} ${done === 1 ? 'was' : 'were'} changed already and stay${done === 1 ? 's' : ''} changed.`}{' '}
        A cancelled operation cannot go on; make a new one for the rest.
      </p>
    </Dialog>
  );
}
