import { expect, test } from 'vitest';
import { deadLettersText, hasHoles, missingText, unexpectedText, verdictText } from '@/components/intake/run.model';
import { sectionOf, sectionPath } from '@/components/intake/section.model';
import { summaryTiles } from '@/components/intake/summary.model';
import type { Run } from '@/lib/contract/run';
import type { Spool } from '@/lib/contract/spool';

test('only a run that has ended has holes; what one under way lacks is still to do', () => {
  expect(hasHoles({ missing: 5, status: 'running' })).toBe(false);
  expect(hasHoles({ missing: 5, status: 'finished' })).toBe(true);
  expect(hasHoles({ missing: 5, status: 'failed' })).toBe(true);
  expect(hasHoles({ missing: null, status: 'finished' })).toBe(false);
  expect(missingText({ missing: 1_200, status: 'running' })).toBe('1,200 to go');
  expect(missingText({ missing: 412, status: 'finished' })).toBe('412');
});

test('a run is called clean only where nothing is missing, and what it did beyond its list is said', () => {
  const run = (missing: number | null, unexpected: number, tiles: number | null = 2) =>
    ({ missing, unexpected, tiles, status: 'finished' }) as const;
  expect(verdictText(run(1, 1))).toBe('1 unit is accounted for by nobody.');
  expect(unexpectedText(run(1, 1))).toBe('1 not on its list');
  expect(verdictText(run(0, 0))).toBe('Every unit is accounted for.');
  expect(verdictText(run(0, 2, null))).toBe('Every unit is accounted for, and 2 more than expected.');
  expect(verdictText({ ...run(2, 0), status: 'running' })).toBe('It is under way.');
  expect(verdictText(run(null, 0))).toContain('did not say');
});

test('dead letters that a run reports and that never arrived are seen', () => {
  expect(deadLettersText({ dead_lettered: null, dead_letters: 4 })).toBe('4');
  expect(deadLettersText({ dead_lettered: 4, dead_letters: 4 })).toBe('4');
  expect(deadLettersText({ dead_lettered: 97, dead_letters: 90 })).toBe('90 of 97 arrived');
});

test('the address names the section, and any other word is the first one', () => {
  expect(sectionOf('runs')).toBe('runs');
  expect(sectionOf('nonsense')).toBe('spools');
  expect(sectionPath('spools')).toBe('/intake');
  expect(sectionPath('runs', { run: 'a/b c', status: null })).toBe('/intake?section=runs&run=a%2Fb+c');
});

test('the figures lead to what is wrong, and are not guessed before they are known', () => {
  const spool: Spool = {
    as_of: '2026-11-30T12:00:00Z',
    sources: [],
    files: [],
    next_cursor: null,
    rejected: { total: 9, open: 2 },
  };
  const run = (missing: number | null, status: Run['status']) => ({ missing, status }) as Run;
  const runs = [run(412, 'finished'), run(9, 'running'), run(null, 'finished'), run(8, 'failed')];
  const tiles = summaryTiles({ spool, tokens: [], runs, now: 0 });
  expect(tiles.map(({ figure, tone }) => [figure, tone])).toEqual([
    ['0', 'plain'],
    ['2', 'warn'],
    ['0', 'plain'],
    ['2', 'bad'],
  ]);
  expect(tiles[3]?.caption).toBe('420 units missing, latest 4 runs');
  const unknown = summaryTiles({ spool: undefined, tokens: undefined, runs: undefined, now: 0 });
  expect(unknown.map(({ figure }) => figure)).toEqual([null, null, null, null]);
});
