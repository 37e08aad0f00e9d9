import fc from 'fast-check';
import { FAILURE_CLASSES, STATES, UNRESOLVED_STATES } from '@/lib/dead-letter/vocabulary';
import type { Instant } from '@/lib/index/answers';
import type { ComboRow, Conditions, EntryRow, IndexQuery } from '@/lib/index/query';

export const NOW_US = Date.UTC(2026, 10, 30, 12) * 1000;
const DAY_US = 86_400_000_000;

/** Texts that go wrong easily: names of Object's own, nothing, and such that UTF-16 and UTF-8 order differently. */
export const TEXTS = [
  '__proto__',
  'constructor',
  '',
  'a',
  'ab',
  'abc',
  'Ab',
  'é',
  '\uffee',
  '😀',
  '∅x',
  'null',
  '4326',
];
const text = fc.constantFrom(...TEXTS);
const maybe = fc.option(text, { freq: 3 });

const combo = fc.record({
  queue: text,
  failure_class: fc.constantFrom(...FAILURE_CLASSES, ...TEXTS.slice(0, 3)),
  error_class: fc.constantFrom('transient', 'fatal'),
  task_name: text,
  src_crs: maybe,
  srid: fc.option(fc.constantFrom(4326, 3857, 0, -1, 43260)),
  code_version: maybe,
  signature: text,
  crs_verdict: maybe,
  unmappable_reason: fc.option(fc.constantFrom('no_crs', 'empty', 'sensitive'), { freq: 2 }),
  sensitive: fc.boolean(),
});

/** Ids are not dense: from 1 on, and far out. */
export const combos = fc
  .array(combo, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((one, i): ComboRow => ({ id: i % 3 === 2 ? 200_000 + i : i + 1, ...one })));

const LAST_CELL = 2 ** 52 - 1;
/** Some cells again and again, their neighbours, the corners of the world, and any. */
const cell = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(2 ** 50 + 12_345, 2 ** 51, 2 ** 51 + 1, 2 ** 51 - 1) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 40 }).map((n) => 2 ** 49 + n) },
  { weight: 1, arbitrary: fc.constantFrom(0, LAST_CELL, LAST_CELL / 2 - 0.5, 2 ** 26, 2 ** 26 - 1) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: LAST_CELL }) },
);
const position = fc.oneof(
  { weight: 6, arbitrary: cell.map((one) => ({ cell: one, public_cell: one })) },
  { weight: 1, arbitrary: cell.map((one) => ({ cell: one, public_cell: null })) },
  { weight: 1, arbitrary: fc.record({ cell, public_cell: cell }) },
  { weight: 1, arbitrary: fc.constant({ cell: null, public_cell: null }) },
  { weight: 1, arbitrary: cell.map((one) => ({ cell: null, public_cell: one })) },
);

/** Ties, neighbours by a microsecond, the ends of days, of the axis and of the columns' days, and what lies beyond. */
const MOMENTS: Instant[] = [
  NOW_US,
  NOW_US - 1,
  NOW_US + DAY_US,
  NOW_US + DAY_US - 1,
  Date.UTC(2026, 10, 29) * 1000,
  Date.UTC(2026, 10, 29) * 1000 - 1,
  Date.UTC(2000, 0, 1) * 1000,
  Date.UTC(2000, 0, 1) * 1000 - 1,
  Date.UTC(1900, 0, 1) * 1000,
  Date.UTC(1900, 0, 2) * 1000 - 1,
  Date.UTC(1900, 0, 2) * 1000,
  Date.UTC(2079, 5, 5) * 1000,
  Date.UTC(2079, 5, 6) * 1000,
  Date.UTC(2079, 5, 6) * 1000 - 1,
  Date.UTC(1850, 3, 1) * 1000 + 1,
  9_214_646_400_123_456_789n,
  9_214_646_400_123_456_790n,
  -210_866_803_200_000_000n,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
export const instant: fc.Arbitrary<Instant> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...MOMENTS) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 5 }).map((us) => NOW_US - 3 * DAY_US + us) },
  { weight: 2, arbitrary: fc.integer({ min: NOW_US - 200 * DAY_US, max: NOW_US }) },
);

const entry_id = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(65_535, 65_536, 65_537, 2 ** 31, 2 ** 32 - 1) },
);

export type Change = { put: Omit<EntryRow, 'combo'>; combo_at: number } | { remove: number };

const put = fc.tuple(entry_id, fc.constantFrom(...STATES), fc.boolean(), instant, position, fc.nat()).map(
  ([id, state, reopened, failed_at_us, at, combo_at]): Change => ({
    put: { entry_id: id, state, reopened, failed_at_us, ...at },
    combo_at,
  }),
);
export const changes = fc.array(
  fc.oneof({ weight: 6, arbitrary: put }, { weight: 1, arbitrary: entry_id.map((id): Change => ({ remove: id })) }),
  { maxLength: 120, size: 'max' },
);

const condition = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.oneof(text, fc.constantFrom('∅', '*', 'a*', '\uffee*', '43*', 'c', '\0', '4326', 'unknown', 'oom')),
  )
  .map(([not, value]) => not + value);
/** Nearly always left out, so that queries match something. */
const rarely = <T>(one: fc.Arbitrary<T>, unset = 12): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: unset, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });
const set = rarely(fc.array(condition, { minLength: 1, maxLength: 3 }));
const lon = fc.oneof(fc.constantFrom(-180, 0, 180), fc.double({ min: -180, max: 180, noNaN: true }));
const lat = fc.oneof(fc.constantFrom(-90, 0, 90), fc.double({ min: -90, max: 90, noNaN: true }));
const bbox = fc
  .tuple(lon, lat, lon, lat)
  .map(([west, a, east, b]): [number, number, number, number] => [west, Math.min(a, b), east, Math.max(a, b)]);

const conditions: fc.Arbitrary<Conditions> = fc.record({
  queue: set,
  failure_class: set,
  error_class: rarely(fc.constantFrom(['fatal'], ['!fatal'], ['transient', 'fatal'])),
  task_name: set,
  src_crs: set,
  srid: set,
  code_version: set,
  signature: set,
  crs_verdict: set,
  unmappable_reason: rarely(fc.constantFrom(['no_crs'], ['!empty'], ['∅'])),
  mappable: rarely(fc.boolean()),
  sensitive: rarely(fc.boolean()),
  reopened: rarely(fc.boolean()),
  bbox: rarely(bbox, 4),
});

export const queries: fc.Arbitrary<IndexQuery> = fc.record({
  conditions,
  states: fc.oneof(fc.constant([...UNRESOLVED_STATES]), fc.constant([...STATES]), fc.subarray([...STATES])),
  since_us: rarely(instant, 4),
  until_us: rarely(instant, 4),
  entry_ids: rarely(
    fc.array(entry_id, { maxLength: 20 }).map((ids) => Uint32Array.from(ids)),
    5,
  ),
  true_positions: fc.boolean(),
  now_us: fc.constant(NOW_US),
});

export const tiles = fc.integer({ min: 0, max: 18 }).chain((z) =>
  cell.map((one) => {
    const inside = Math.floor(one / 4 ** (26 - z));
    return { z, inside };
  }),
);
