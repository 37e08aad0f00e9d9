import fc from 'fast-check';
import { type Filter, NO_VALUE, SET_FIELDS, type SetField } from '@/lib/contract/filter';
import { FAILURE_CLASSES, type Role, STATES } from '@/lib/dead-letter/vocabulary';
import { blankRow, type Row } from './rows';

/** The filter as a plain predicate: what the SQL must agree with. `at` is the position that the role sees. */
export function matches(row: Row, filter: Filter, role: Role, at: [number, number] | undefined): boolean {
  const given = filter.state ?? [];
  const wanted = given.filter((state) => !state.startsWith('!'));
  const unwanted = given.filter((state) => state.startsWith('!')).map((state) => state.slice(1));
  if (!given.includes('any')) {
    if (given.length === 0 && row.state === 'resolved') return false;
    if (wanted.length > 0 && !wanted.includes(row.state)) return false;
    if (unwanted.includes(row.state)) return false;
  }
  for (const field of SET_FIELDS) {
    if (field === 'state') continue;
    const own = valuesOf(row, field, role);
    const included = (filter[field] ?? []).filter((one) => !one.startsWith('!'));
    const excluded = (filter[field] ?? []).filter((one) => one.startsWith('!')).map((one) => one.slice(1));
    if (included.length > 0 && !included.some((one) => own.some((value) => isValue(value, one)))) return false;
    if (excluded.some((one) => own.some((value) => isValue(value, one)))) return false;
  }
  if (filter.mappable !== undefined && (row.unmappable_reason === null) !== filter.mappable) return false;
  if (filter.sensitive !== undefined && row.sensitive !== filter.sensitive) return false;
  if (filter.reopened !== undefined && row.reopen_count > 0 !== filter.reopened) return false;
  // equal width and zone: text order is time order
  if (filter.since !== undefined && row.failed_at < filter.since) return false;
  if (filter.until !== undefined && row.failed_at >= filter.until) return false;
  if (filter.ids && !filter.ids.includes(row.id)) return false;
  if (filter.work_key !== undefined && !row.work_key.startsWith(filter.work_key)) return false;
  if (filter.work_key !== undefined && role === 'viewer' && row.sensitive) return false;
  if (filter.bbox) {
    if (!at) return false;
    const [west, south, east, north] = filter.bbox;
    const [lon, lat] = at;
    if (lat < south || lat > north) return false;
    if (west <= east ? lon < west || lon > east : lon < west && lon > east) return false;
  }
  return true;
}

/** What a row has of a field; one null for nothing. */
function valuesOf(row: Row, field: Exclude<SetField, 'state'>, role: Role): (string | null)[] {
  if (field === 'fault') return row.faults.length > 0 ? row.faults : [null];
  if (field === 'source_uri') return [null];
  if (field === 'run_id' && role === 'viewer' && row.sensitive) return [null];
  return [row[field] === null ? null : String(row[field])];
}

function isValue(value: string | null, wanted: string): boolean {
  if (wanted === NO_VALUE) return value === null;
  if (value === null) return false;
  return wanted.endsWith('*') ? value.startsWith(wanted.slice(0, -1)) : value === wanted;
}

/** Words that break what is built from text: quotes, patterns, escapes, other scripts. */
const HOSTILE = ["'; drop table dlq.entry; --", '100%', 'a_b', 'a\\', '"$1"', '{x}', 'Ü→é', '🗺', 'x'.repeat(300)];
const POOLS = {
  queue: ['default', 'eu-west', ...HOSTILE],
  failure_class: [...FAILURE_CLASSES, 'their_own', '__proto__', ...HOSTILE],
  error_class: ['transient', 'fatal'],
  task_name: ['reproject_parcels', 'reproject_roads', 'clip', ...HOSTILE],
  src_crs: ['EPSG:4326', 'EPSG:2263', 'GDA94 / MGA zone 56', ...HOSTILE],
  srid: ['4326', '2263', '999999'],
  code_version: ['v1', 'v1.2', 'v2', ...HOSTILE],
  signature: ['aaaa', 'aabb', 'cccc'],
  crs_verdict: ['agrees', 'no_claim', 'axis_swapped'],
  unmappable_reason: ['no_crs', 'empty', 'not_diagnosed'],
  fault: [
    'self_intersection',
    'self_touch',
    'spike',
    'curve',
    'their_own',
    ...HOSTILE.filter((text) => text.length <= 100),
  ],
  run_id: ['run-1', 'run-2', 'nightly', ...HOSTILE],
} as const;
const NULLABLE = new Set<string>(['src_crs', 'srid', 'code_version', 'crs_verdict', 'unmappable_reason', 'run_id']);

const lon = fc.oneof(
  fc.constantFrom(-180, 180, 0, 179.99999, -179.99999),
  fc.double({ min: -180, max: 180, noNaN: true }),
);
const lat = fc.oneof(fc.constantFrom(-90, 90, 0, 85.06, -85.06), fc.double({ min: -90, max: 90, noNaN: true }));
const instant = fc
  .date({ min: new Date('2026-09-01'), max: new Date('2026-11-30'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('Z', '123Z'));
const workKey = fc.oneof(fc.constantFrom('parcel/1', 'parcel/12', 'parcel_1', 'parcel%', ...HOSTILE));

/** A row; ids and work keys are made distinct by its number. */
function rowOf(number: number): fc.Arbitrary<Row> {
  const field = (name: keyof typeof POOLS) =>
    NULLABLE.has(name) ? fc.option(fc.constantFrom(...POOLS[name])) : fc.constantFrom(...POOLS[name]);
  return fc
    .record({
      queue: field('queue'),
      failure_class: field('failure_class'),
      error_class: field('error_class'),
      task_name: field('task_name'),
      src_crs: field('src_crs'),
      srid: field('srid').map((text) => (text === null ? null : Number(text))),
      code_version: field('code_version'),
      signature: field('signature'),
      crs_verdict: field('crs_verdict'),
      unmappable_reason: field('unmappable_reason'),
      sensitive: fc.boolean(),
      state: fc.constantFrom(...STATES),
      reopen_count: fc.constantFrom(0, 0, 1, 3),
      attempts: fc.constantFrom(1, 2, 3, 400),
      failed_at: instant,
      key: workKey,
      at: fc.option(fc.tuple(lon, lat)),
      run_id: field('run_id'),
      faults: fc.oneof(fc.constant([]), fc.uniqueArray(fc.constantFrom(...POOLS.fault), { maxLength: 4 })),
    })
    .map(
      ({ key, ...row }) =>
        ({ ...blankRow(number), ...row, first_seen: row.failed_at, work_key: `${key}#${number}` }) as Row,
    );
}

export const someRows = (count: number): fc.Arbitrary<Row[]> =>
  fc.tuple(...Array.from({ length: count }, (_, index) => rowOf(index + 1)));

/** A filter of some conditions, with values that are there, prefixes of them, exclusions, and some that are not. */
export function someFilter(ids: number): fc.Arbitrary<Filter> {
  const values = (name: keyof typeof POOLS) => {
    const value = fc.constantFrom(...POOLS[name], 'absent', 'nul\0');
    const prefix = fc.tuple(value, fc.nat(4)).map(([text, length]) => `${[...text].slice(0, length).join('')}*`);
    const one = fc.oneof(value, value, prefix, fc.constant(NO_VALUE));
    return fc.array(
      fc.oneof(
        one,
        one.map((text) => `!${text}`),
      ),
      { minLength: 1, maxLength: 3 },
    );
  };
  const state = fc.constantFrom(...STATES);
  return fc
    .record(
      {
        queue: values('queue'),
        state: fc.array(
          fc.oneof(
            state,
            state.map((text) => `!${text}`),
            fc.constant('any'),
          ),
          { minLength: 1, maxLength: 3 },
        ),
        failure_class: values('failure_class'),
        error_class: fc.array(fc.constantFrom('transient', 'fatal', '!transient', '!fatal'), {
          minLength: 1,
          maxLength: 2,
        }),
        task_name: values('task_name'),
        src_crs: values('src_crs'),
        srid: values('srid'),
        code_version: values('code_version'),
        signature: values('signature'),
        crs_verdict: values('crs_verdict'),
        unmappable_reason: values('unmappable_reason'),
        fault: values('fault'),
        run_id: values('run_id'),
        mappable: fc.boolean(),
        sensitive: fc.boolean(),
        reopened: fc.boolean(),
        since: instant,
        until: instant,
        bbox: fc
          .tuple(lon, lat, lon, lat)
          .map(([west, a, east, b]): [number, number, number, number] => [west, Math.min(a, b), east, Math.max(a, b)]),
        work_key: fc
          .tuple(workKey, fc.integer({ min: 1, max: 9 }))
          .map(([key, length]) => [...key].slice(0, length).join('')),
        ids: fc.array(fc.oneof(fc.integer({ min: 1, max: ids }).map(String), fc.constant('9999999999999999999')), {
          maxLength: 40,
        }),
      },
      { requiredKeys: [] },
    )
    .chain((full) =>
      fc
        .subarray(Object.keys(full), { maxLength: 3 })
        .map((keep) => Object.fromEntries(Object.entries(full).filter(([key]) => keep.includes(key)))),
    );
}
