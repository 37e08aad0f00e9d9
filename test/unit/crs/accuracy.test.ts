import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Entry } from '@/test/bench/crs/draft';
import { goalRows } from '@/test/bench/crs/report';
import { PRIORS, scoreMismatch, scoreSound } from '@/test/bench/crs/score';

/** Entries of `npm run bench:crs -- --seed 22 --entries`, with what PROJ said of them. */
const file = path.join(import.meta.dirname, '../../fixtures/crs/generated-entries.json');
const { mismatches, sound } = JSON.parse(readFileSync(file, 'utf8')) as { mismatches: Entry[]; sound: Entry[] };

/**
 * What the figures must not fall below, a little under the bench's goals: one entry is 0.6 % of so few. The goals
 * themselves are for 2,000 entries.
 */
const FLOORS: Record<string, (value: number) => boolean> = {
  'z10 top-1': (value) => value >= 96,
  'z10 top-3': (value) => value >= 98,
  'z6 top-1': (value) => value >= 74,
  'z6 top-3': (value) => value >= 80,
  'wrong and confident': (value) => value < 1,
  'false alarm': (value) => value < 1,
};

test('over a part of the generated entries, no figure of the bench falls', () => {
  expect(mismatches.length).toBeGreaterThanOrEqual(150);
  expect(sound.length).toBeGreaterThanOrEqual(150);
  const outcomes = PRIORS.flatMap((prior) => mismatches.map((entry) => scoreMismatch(entry, prior)));
  const rows = goalRows(outcomes, sound.map(scoreSound));
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(FLOORS));
  expect(
    rows.filter(({ name, value }) => !FLOORS[name]?.(value)).map(({ name, value }) => `${name}: ${value}`),
  ).toEqual([]);
});
