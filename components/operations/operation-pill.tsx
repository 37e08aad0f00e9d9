import { Icon, type IconName } from '@/components/ui/icon';
import type { Operation, OperationItem } from '@/lib/contract/operation';
import { stateLook } from './operation.model';
import { OUTCOME_LABELS } from './outcomes.model';

/** The state of an operation in a word. */
export function OperationPill({ operation }: { operation: Operation }) {
  const { word, tone, icon } = stateLook(operation);
  return (
    <span className={`pill ${tone}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}

const LOOKS: Record<OperationItem['outcome'], { tone: string; icon: IconName | null }> = {
  waiting: { tone: '', icon: null },
  in_flight: { tone: 'pill-run', icon: 'send' },
  accepted: { tone: 'pill-run', icon: 'arrow-up-right' },
  fixed: { tone: 'pill-ok', icon: 'check' },
  applied: { tone: 'pill-ok', icon: 'check' },
  failed_again: { tone: 'pill-bad', icon: 'rotate-ccw' },
  rejected: { tone: 'pill-bad', icon: 'ban' },
  in_doubt: { tone: 'pill-warn', icon: 'circle-help' },
  skipped: { tone: '', icon: 'minus' },
  cancelled: { tone: '', icon: 'ban' },
};

/** What became of one entry, in a word. */
export function OutcomePill({ outcome }: { outcome: OperationItem['outcome'] }) {
  const { tone, icon } = LOOKS[outcome];
  return (
    <span className={`pill ${tone}`}>
      {icon && <Icon name={icon} />}
      {OUTCOME_LABELS[outcome].toLowerCase()}
    </span>
  );
}
