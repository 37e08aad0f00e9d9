import type { IconName } from '@/components/ui/icon';
import { countedText, countText } from '@/components/ui/number-text';
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
  return status === 'running' && missing > 0 ? `${countText(missing)} to go` : countText(missing);
}

/** What makes up for nothing that is missing: successes that no one expected. */
export function unexpectedText({ unexpected, tiles }: Pick<Run, 'unexpected' | 'tiles'>): string {
  if (unexpected === 0) return '';
  return `${countText(unexpected)} ${tiles === null ? 'more than expected' : 'not on its list'}`;
}

/** One sentence of what the numbers come to. */
export function verdictText(run: Pick<Run, 'missing' | 'status' | 'unexpected' | 'tiles'>): string {
  const { missing, status } = run;
  if (hasHoles(run)) return `${countedText(missing ?? 0, 'unit is', 'units are')} accounted for by nobody.`;
  if (missing === null) return 'It did not say how much it had to do, so nothing can be missed.';
  if (status === 'running') return 'It is under way.';
  const surplus = unexpectedText(run);
  return surplus ? `Every unit is accounted for, and ${surplus}.` : 'Every unit is accounted for.';
}

/** As reported, else as arrived; both where they differ. */
export function deadLettersText({ dead_lettered, dead_letters }: Pick<Run, 'dead_lettered' | 'dead_letters'>): string {
  if (dead_lettered === null || dead_lettered === dead_letters) return countText(dead_letters);
  return `${countText(dead_letters)} of ${countText(dead_lettered)} arrived`;
}
