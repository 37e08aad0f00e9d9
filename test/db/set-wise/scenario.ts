import fc from 'fast-check';
import type { Proposal } from '@/db/queries/capture';
import { readCapture } from '@/lib/ingest/read-capture';

/** What an entry may be in when a line for it comes. `absent` is none at all. */
export const BEFORE = [
  'absent',
  'open',
  'open_ahead',
  'diagnosed',
  'quarantined',
  'redriving',
  'redriven',
  'in_doubt',
  'fixed',
  'abandoned',
  'abandoned_same',
  'ruled',
] as const;
export type Before = (typeof BEFORE)[number];

export const KEYS = 5;
/** Key 4 is longer than an index entry. */
export const keyOf = (run: string, key: number): string => `${run}-${key}${key === 4 ? 'é'.repeat(1500) : ''}`;
export const attemptOf = (run: string, key: number): string => uuid(`${run}a${key}`);
export const uuid = (seed: string): string => {
  const hex = Buffer.from(seed).toString('hex').padEnd(32, '0').slice(0, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};
export const minute = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
/** Of a clock that is years ahead. */
export const aheadMinute = (n: number): string => new Date(Date.UTC(2099, 0, 1, 0, n)).toISOString();

const BOWTIE =
  '0103000000010000000500000000000000000000000000000000000000000000000000f03f000000000000f03f000000000000f03f00000000000000000000000000000000000000000000f03f00000000000000000000000000000000';
const POINT_4326 = '0101000020e6100000000000000000f03f0000000000000040';
const WKB = [undefined, BOWTIE, POINT_4326, BOWTIE.slice(0, 40), '0199000000'];
const PARAMS = [
  '{"a":1}',
  '{"b":[1,2],"a":1}',
  '{"a":1,"a":2}',
  '{"nul":"\\u0000","lone":"\\ud800"}',
  '{"big":1e400}',
  'null',
  '[\n1]',
];
/** Characters of which an index of two such columns holds too few to a page. */
export const POISON = Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000))).join(
  '',
);

const optional = <T>(values: T[]) => fc.constantFrom<T | undefined>(undefined, ...values);

/** One line: which key, whose task, which failure, when. */
const line = fc.record({
  key: fc.nat(KEYS - 1),
  task: fc.constantFrom('t', 't', 't', 'other'),
  id: fc.nat(19),
  /** A capture_id that another key may have too. */
  shared: fc.boolean(),
  minute: fc.nat(20),
  ahead: fc.nat(4).map((n) => n === 0),
  attempt: fc.constantFrom('none', 'none', 'current', 'strange'),
  queue: optional(['north', '']),
  failure_class: optional(['oom', 'upstream_timeout', 'weird word']),
  error_class: optional(['transient', 'fatal']),
  error_type: optional(['TopologyException', 'TimeoutError']),
  error_text: fc.constantFrom(
    undefined,
    'side location conflict at 1.5 2',
    'timed out after 30 s',
    'a\u0000\nb\\ud800 "quoted"',
  ),
  traceback: optional(['  File "/srv/a.py", line 3, in cut\n', '  File "/srv/b.py", line 3, in clip\r\n']),
  code_version: optional(['1.0', '2.0']),
  run_id: optional(['r1']),
  task_id: optional(['unit-1', 'unit-2']),
  geom_hash: optional(['g1', 'g2']),
  sensitive: optional([true, false]),
  geom_wkb: fc.constantFrom(...WKB),
  srid: fc.constantFrom(undefined, undefined, 4326, 3857, 0, -5, 2_000_000_000),
  src_crs: optional(['EPSG:4326', 'EPSG:25832', 'nonsense']),
  tile_z: optional([0, 12]),
  source_uris: fc.constantFrom(undefined, ['s3://a/b.tif', '']),
  source_window: fc.constantFrom(undefined, { col_off: 0, row_off: 1.5, width: 2, height: 3 }),
  nodata: optional(['nan']),
  params: fc.constantFrom(...PARAMS),
  poison: fc.nat(24).map((n) => n === 0),
});
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

export interface Scenario {
  before: Before[];
  lines: Line[];
  /** Lengths of the chunks; what is left is one more. */
  cuts: number[];
  poisoned: boolean;
}

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  before: fc.array(fc.constantFrom(...BEFORE), { minLength: KEYS, maxLength: KEYS }),
  lines: fc.array(line, { minLength: 1, maxLength: 24 }),
  cuts: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  poisoned: fc.nat(4).map((n) => n === 0),
});

/** The proposals of a scenario, as the doors read them. Ids shared between keys and refused values are not mixed: which of two was first then depends on who was refused. */
export function proposalsOf(run: string, { lines, poisoned }: Scenario): Proposal[] {
  return lines.map((given) => {
    const { key, task, id, shared, minute: at, ahead, attempt, params, poison, ...fields } = given;
    const refused = poisoned && poison;
    const capture = {
      ...fields,
      work_key: keyOf(run, key),
      task_name: refused ? POISON : task,
      capture_id: uuid(shared && !poisoned ? `${run}s${id % 4}` : `${run}${key}${String.fromCharCode(97 + id)}`),
      failed_at: ahead ? aheadMinute(at) : minute(at),
      code_version: refused ? POISON : fields.code_version,
      attempt_id: attempt === 'none' ? undefined : attempt === 'current' ? attemptOf(run, key) : uuid(`${run}zz`),
      queue: fields.queue || undefined,
    };
    const text = `${JSON.stringify(capture).slice(0, -1)},"params":${params}}`;
    return readCapture(text, { via: id % 7 === 0 ? 'spool' : 'http' });
  });
}

export function chunksOf<T>(all: readonly T[], cuts: readonly number[]): T[][] {
  const chunks: T[][] = [];
  let from = 0;
  for (const length of [...cuts, all.length]) {
    if (from < all.length) chunks.push(all.slice(from, from + length));
    from += length;
  }
  return chunks;
}
