import { bytesText } from '@/components/evidence/number-text.model';
import { countedText, countText } from '@/components/ui/number-text';
import type { Run } from '@/lib/contract/run';
import type { Spool } from '@/lib/contract/spool';
import type { Token } from '@/lib/contract/token';
import type { SummaryTile } from './intake-summary';
import { hasHoles } from './run.model';
import { spoolTotals } from './spool.model';
import { tokenState } from './token.model';

export interface Known {
  spool: Spool | undefined;
  tokens: readonly Token[] | undefined;
  /** The latest ones. */
  runs: readonly Run[] | undefined;
  now: number;
}

/** What each section comes to in one figure. What is not known yet says so. */
export function summaryTiles({ spool, tokens, runs, now }: Known): SummaryTile[] {
  return [spoolTile(spool), linesTile(spool), tokensTile(tokens, now), runsTile(runs)];
}

function spoolTile(spool: Spool | undefined): SummaryTile {
  const tile = { section: 'spools', label: 'Files waiting in spools' } as const;
  if (!spool) return { ...tile, figure: null, caption: 'not read yet', tone: 'plain' };
  const { files, bytes, wrong } = spoolTotals(spool.sources);
  const figure = countText(files);
  const count = spool.sources.length;
  if (count === 0) return { ...tile, figure, caption: 'no spool is watched', tone: 'plain' };
  if (wrong > 0)
    return {
      ...tile,
      figure,
      caption: `${wrong} of ${countedText(count, 'source', 'sources')} out of sight`,
      tone: 'bad',
    };
  if (files > 0) return { ...tile, figure, caption: `${bytesText(bytes)} to load`, tone: 'plain' };
  return { ...tile, figure, caption: `drained, ${countedText(count, 'source', 'sources')}`, tone: 'ok' };
}

function linesTile(spool: Spool | undefined): SummaryTile {
  const tile = { section: 'lines', label: 'Lines that could not be taken' } as const;
  if (!spool) return { ...tile, figure: null, caption: 'not read yet', tone: 'plain' };
  const { total, open } = spool.rejected;
  const done = total - open;
  const caption = open > 0 ? 'to try again or set aside' : total === 0 ? 'none ever' : `${countText(done)} dealt with`;
  return { ...tile, figure: countText(open), caption, tone: open > 0 ? 'warn' : 'plain' };
}

function tokensTile(tokens: readonly Token[] | undefined, now: number): SummaryTile {
  const tile = { section: 'producers', label: 'Producers’ tokens in use' } as const;
  if (!tokens) return { ...tile, figure: null, caption: 'not read yet', tone: 'plain' };
  const in_use = tokens.filter((token) => tokenState(token, now) === 'in_use').length;
  const ended = tokens.length - in_use;
  const caption = tokens.length === 0 ? 'none made' : ended === 0 ? 'none ended' : `${countText(ended)} ended`;
  return { ...tile, figure: countText(in_use), caption, tone: 'plain' };
}

function runsTile(runs: readonly Run[] | undefined): SummaryTile {
  const tile = { section: 'runs', label: 'Runs with missing units' } as const;
  if (!runs) return { ...tile, figure: null, caption: 'not read yet', tone: 'plain' };
  const holed = runs.filter(hasHoles);
  const caption =
    runs.length === 0
      ? 'no run was reported'
      : holed.length === 0
        ? `of the latest ${countText(runs.length)}`
        : `${countedText(sumMissing(holed), 'unit', 'units')} missing, latest ${countedText(runs.length, 'run', 'runs')}`;
  return { ...tile, figure: countText(holed.length), caption, tone: holed.length > 0 ? 'bad' : 'plain' };
}

const sumMissing = (runs: readonly Run[]) => runs.reduce((sum, { missing }) => sum + (missing ?? 0), 0);
