import type { IconName } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import type { Run } from '@/lib/contract/run';

export const RUN_LOOKS: Record<Run['status'], { tone: string; icon: IconName }> = {
  running: { tone: 'pill-run', icon: 'play' },
  finished: { tone: 'pill-ok', icon: 'check' },
  failed: { tone: 'pill-bad', icon: 'circle-alert' },
};

/** Units that nobody accounts for once the run has ended: neither done nor dead letters. */
export const hasHoles = ({ missing, status }: Pick<Run, 'missing' | 'status'>): boolean =>
  status !== 'running' && missing !== null && missing > 0;

/** The missing of a run that is under way are those it still has to do. */
export function missingText({ missing, status }: Pick<Run, 'missing' | 'status'>): string {
  if (missing === null) return '';
  if (status === 'running') return missing > 0 ? `${countText(missing)} to go` : countText(missing);
  return missing < 0 ? `${countText(-missing)} too many` : countText(missing);
}

/** As reported, else as arrived; both where they differ. */
export function deadLettersText({ dead_lettered, dead_letters }: Pick<Run, 'dead_lettered' | 'dead_letters'>): string {
  if (dead_lettered === null || dead_lettered === dead_letters) return countText(dead_letters);
  return `${countText(dead_letters)} of ${countText(dead_lettered)} arrived`;
}
