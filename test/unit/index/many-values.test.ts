import { describe, expect, test } from 'vitest';
import { FAILURE_CLASSES, STATES } from '@/lib/dead-letter/vocabulary';
import type { ComboRow, EntryRow, IndexQuery } from '@/lib/index/query';
import { TriageIndex } from '@/lib/index/triage-index';
import { NOW_US } from './arbitrary';

const DAY_US = 86_400_000_000;
const LIMITS = { facet_values: 50, signatures: 100, versions: 200 };
const everything: IndexQuery = { conditions: {}, states: STATES, true_positions: true, now_us: NOW_US };

const combo = (id: number, given: Partial<ComboRow> = {}): ComboRow => ({
  id,
  queue: 'default',
  failure_class: 'oom',
  error_class: 'fatal',
  task_name: 'clip',
  src_crs: null,
  srid: null,
  code_version: null,
  signature: 's',
  crs_verdict: null,
  unmappable_reason: null,
  sensitive: false,
  ...given,
});
const entry = (entry_id: number, given: Partial<EntryRow> = {}): EntryRow => ({
  entry_id,
  combo: 1,
  state: 'open',
  reopened: false,
  failed_at_us: NOW_US,
  cell: null,
  public_cell: null,
  ...given,
});

describe('values that multiply', () => {
  test('the first of each of 70,000 code versions is found', () => {
    const index = new TriageIndex();
    for (let i = 1; i <= 70_000; i += 1) {
      index.addCombo(combo(i, { code_version: `sha-${i}` }));
      index.put(entry(2 * i, { combo: i, failed_at_us: NOW_US - i }));
      index.put(entry(2 * i + 1, { combo: i, failed_at_us: NOW_US - i + DAY_US / 2 }));
    }
    const { versions, facets } = index.fold(everything, LIMITS);
    expect(facets.code_version.distinct).toBe(70_000);
    expect(versions).toEqual(
      Array.from({ length: 200 }, (_, i) => ({ code_version: `sha-${200 - i}`, first_seen_us: NOW_US - 200 + i })),
    );
    expect(index.fold({ ...everything, conditions: { code_version: ['sha-69999'] } }, LIMITS).versions).toEqual([
      { code_version: 'sha-69999', first_seen_us: NOW_US - 69_999 },
    ]);
  });

  test('a thousand rows of one kind are counted, by time, by place and by entry, time after time', () => {
    const index = new TriageIndex({ block_rows: 512 });
    index.addCombo(combo(1));
    for (let i = 1; i <= 3_000; i += 1)
      index.put(entry(i, { failed_at_us: NOW_US - (i > 1_000 ? DAY_US : 0), cell: i * 1e12, public_cell: i * 1e12 }));
    const counted: [Partial<IndexQuery>, number][] = [
      [{ since_us: NOW_US - DAY_US / 2 }, 1_000],
      [{ until_us: NOW_US - DAY_US / 2 }, 2_000],
      [{ conditions: { bbox: [-180, -90, 180, 90] } }, 3_000],
      [{ entry_ids: Uint32Array.from({ length: 600 }, (_, i) => i + 1) }, 600],
    ];
    for (const [given, total] of [...counted, ...counted])
      expect(index.fold({ ...everything, ...given }, LIMITS)).toMatchObject({
        total,
        facets: { signature: { values: [{ value: 's', count: total }] } },
      });
  });

  test('classes outside the vocabulary are counted by day, however many', () => {
    const index = new TriageIndex();
    const classes = [...FAILURE_CLASSES, ...Array.from({ length: 60 }, (_, i) => `word ${i + 10}`)];
    for (const [i, failure_class] of classes.entries()) {
      index.addCombo(combo(i + 1, { failure_class }));
      for (let n = 0; n <= i; n += 1) index.put(entry(i * 100 + n + 1, { combo: i + 1 }));
    }
    const day = Math.floor(NOW_US / DAY_US);
    expect(index.fold(everything, LIMITS).days).toEqual(
      classes
        .map((failure_class, i) => ({ day, failure_class, count: i + 1 }))
        .sort((a, b) => (a.failure_class < b.failure_class ? -1 : 1)),
    );
  });

  test('the largest signatures have their newest entry, also when those were small before the time range', () => {
    const index = new TriageIndex();
    for (let s = 1; s <= 700; s += 1) {
      index.addCombo(combo(s, { signature: `s${s}` }));
      const [old, recent] = s <= 100 ? [0, 2] : [5, 1];
      for (let n = 0; n < old + recent; n += 1)
        index.put(entry(s * 10 + n, { combo: s, failed_at_us: n < old ? NOW_US - 90 * DAY_US : NOW_US - n }));
    }
    const { signatures } = index.fold({ ...everything, since_us: NOW_US - DAY_US }, LIMITS);
    expect(signatures.map(({ signature }) => signature)).toEqual(
      Array.from({ length: 100 }, (_, i) => `s${i + 1}`).sort(),
    );
    for (const { signature, ...rest } of signatures)
      expect(rest).toEqual({
        count: 2,
        failed_at_us: NOW_US,
        example_id: Number(signature.slice(1)) * 10,
        example_at_us: NOW_US,
      });
  });
});

describe('what the index refuses', () => {
  test('an entry’s id that it cannot hold', () => {
    const index = new TriageIndex();
    index.addCombo(combo(1));
    expect(() => index.put(entry(2 ** 32))).toThrow(/entry 4294967296: .* up to 4294967295/);
    index.put(entry(2 ** 32 - 1));
    expect(index.has(2 ** 32 - 1)).toBe(true);
  });

  test('an entry of a combo that was not added, and keeps what it had', () => {
    const index = new TriageIndex();
    index.addCombo(combo(1));
    index.put(entry(7));
    expect(() => index.put(entry(7, { combo: 2 }))).toThrow(/combo 2 was not added/);
    expect([...index.ids(everything, 9)]).toEqual([7]);
    expect(index.fold(everything, LIMITS)).toMatchObject({ total: 1, depth: 1 });
  });
});

describe('the memory of the index', () => {
  test('a row’s columns and locator take 28 bytes, little of it unused, in whatever order rows come', () => {
    for (const cellOf of [(i: number) => i, (i: number) => 1e9 - i, (i: number) => (i * 7_919) % 100_003]) {
      const index = new TriageIndex({ block_rows: 2_048 });
      index.addCombo(combo(1));
      for (let i = 1; i <= 100_000; i += 1) index.put(entry(i, { cell: cellOf(i), public_cell: cellOf(i) }));
      const { fill, rows, kinds, combos } = index.memory();
      expect(fill).toBeGreaterThan(0.85);
      expect({ rows, kinds, combos }).toEqual({ rows: 100_000, kinds: 1, combos: 1 });
    }
  });

  test('what is removed gives its memory back, and its kind is used again', () => {
    const index = new TriageIndex({ block_rows: 1_024 });
    index.addCombo(combo(1));
    const empty = index.memory().bytes;
    for (let i = 1; i <= 50_000; i += 1) index.put(entry(i, { cell: i % 2 ? i : null }));
    for (const state of STATES)
      for (let i = 1; i <= 50_000; i += 1) index.put(entry(i, { cell: i % 2 ? i : null, state }));
    expect(index.memory().kinds).toBe(2);
    for (let i = 1; i <= 50_000; i += 1) index.remove(i);
    expect(index.memory()).toMatchObject({ rows: 0, kinds: 0, blocks: 0 });
    expect(index.memory().bytes).toBe(empty);
  });
});
