import { bytesText } from '@/components/evidence/number-text.model';
import type { IconName } from '@/components/ui/icon';
import { countedText, countText } from '@/components/ui/number-text';
import { ageText, clockText } from '@/components/ui/time-text';
import type { SpoolFileState, SpoolSourceState } from '@/lib/contract/spool';

export interface Look {
  tone: '' | 'pill-run' | 'pill-warn' | 'pill-ok' | 'pill-bad';
  icon: IconName | null;
  word: string;
}

export const FILE_LOOKS: Record<SpoolFileState['state'], Look> = {
  waiting: { tone: '', icon: null, word: 'waiting' },
  loading: { tone: 'pill-run', icon: 'download', word: 'loading' },
  loaded: { tone: 'pill-ok', icon: 'check', word: 'loaded' },
  failed: { tone: 'pill-bad', icon: 'circle-alert', word: 'held up' },
  missing: { tone: 'pill-warn', icon: 'circle-help', word: 'gone' },
};

export type SourceFinding = 'unreachable' | 'unwatched' | 'waiting' | 'drained';

/** The first that holds: what is wrong with a source, else whether something waits in it. */
export function findingOf(source: SpoolSourceState): SourceFinding {
  if (!source.is_watched) return 'unwatched';
  if (!source.reachable) return 'unreachable';
  return source.waiting_files > 0 ? 'waiting' : 'drained';
}

export const SOURCE_LOOKS: Record<SourceFinding, Look> = {
  unreachable: { tone: 'pill-bad', icon: 'circle-alert', word: 'not reachable' },
  unwatched: { tone: 'pill-warn', icon: 'circle-help', word: 'not watched' },
  waiting: { tone: 'pill-run', icon: 'download', word: 'loading' },
  drained: { tone: 'pill-ok', icon: 'check', word: 'drained' },
};

/** What waits in all sources; `wrong` counts those that nothing can be said of. */
export function spoolTotals(sources: readonly SpoolSourceState[]) {
  return {
    files: sources.reduce((sum, { waiting_files }) => sum + waiting_files, 0),
    bytes: sources.reduce((sum, { waiting_bytes }) => sum + waiting_bytes, 0),
    wrong: sources.filter((source) => ['unreachable', 'unwatched'].includes(findingOf(source))).length,
  };
}

/** `2 files, 14.2 MB, the oldest 3 min`. */
export function waitingText(source: SpoolSourceState, as_of: string): string {
  if (source.waiting_files === 0) return 'nothing waits';
  const oldest = source.oldest_waiting_at;
  return [
    `${countedText(source.waiting_files, 'file', 'files')}, ${bytesText(source.waiting_bytes)}`,
    ...(oldest ? [`the oldest for ${ageText(Date.parse(as_of) - Date.parse(oldest))}`] : []),
  ].join(', ');
}

/** Read of the file so far, 0 to 1. */
export function doneShare({ size_bytes, done_bytes, state }: SpoolFileState): number {
  if (state === 'loaded' || size_bytes === 0) return 1;
  return Math.min(1, done_bytes / size_bytes);
}

/** Where a file lies: what came through a pipe lies nowhere, and its name says so. */
export const placeText = ({ source, name }: Pick<SpoolFileState, 'source' | 'name'>): string =>
  source === 'stdin' ? name : `${source}/${name}`;

/** What happens next with a file that could not be loaded; null for any other. */
export function nextTryText(
  { state, source, retry_at }: Pick<SpoolFileState, 'state' | 'source' | 'retry_at'>,
  { sources, as_of }: { sources: readonly SpoolSourceState[]; as_of: string },
): string | null {
  if (state !== 'failed') return null;
  if (!sources.some(({ url, is_watched }) => url === source && is_watched))
    return source === 'stdin' ? 'Send it once more.' : 'No worker watches its place: run dlo ingest once more.';
  if (retry_at === null || Date.parse(retry_at) <= Date.parse(as_of))
    return 'It is tried again by itself, any moment now.';
  return `It is tried again by itself, at ${clockText(retry_at)} UTC.`;
}

/** What became of a file's lines, in words. */
export function linesText({ lines, stored, duplicates, rejected }: SpoolFileState): string {
  return [
    countedText(lines, 'line', 'lines'),
    `${countText(stored)} stored`,
    ...(duplicates > 0 ? [`${countText(duplicates)} known before`] : []),
    ...(rejected > 0 ? [`${countText(rejected)} not taken`] : []),
  ].join(', ');
}

/** How an address is shown where it is too long: its end tells sources apart. */
export function shortPath(path: string, most = 48): string {
  const units = [...path];
  if (units.length <= most) return path;
  const head = Math.floor(most / 3);
  return `${units.slice(0, head).join('')}…${units.slice(units.length - (most - head - 1)).join('')}`;
}
