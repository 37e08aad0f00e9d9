import { createHash } from 'node:crypto';
import { seeded } from '@/db/demo/seeded';
import { SIZE_RULE_BYTES } from '@/lib/dead-letter/size-rule';

/** One failure that a schedule makes a task have: the same in the process that captures it and in the one that checks. */
export interface PlannedFailure {
  capture_id: string;
  work_key: string;
  /** Arbitrary bytes: what is kept is what was given, whether or not it is a geometry. */
  geometry: Uint8Array | null;
  params: unknown;
  src_crs: string | null;
  failed_at: string;
  message: string;
}

const PARAMS: readonly unknown[] = [
  { snap: 0.01, keep: true },
  { text: 'NUL \0 and half a pair \ud800', nested: [[[{ deep: null }]]] },
  { '': 'empty name', big: 1.7976931348623157e308, small: 5e-324, minus: -0 },
  ['a list', 1, 2, 3],
  'a text',
  null,
];

const BASE_MS = Date.parse('2026-11-01T00:00:00Z');

/** Failure `i` of a burst; a burst's keys are few, so that entries fail again and again. */
export function plannedFailure(burst: number, i: number): PlannedFailure {
  const random = seeded(burst * 7919 + i);
  const id = createHash('sha256').update(`${burst}:${i}`).digest('hex');
  const size = random() < 0.03 ? SIZE_RULE_BYTES + 1 + Math.floor(random() * 1000) : Math.floor(random() * 300);
  return {
    capture_id: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
    work_key: `burst/${burst}/${Math.floor(random() ** 2 * 12)}`,
    geometry: random() < 0.1 ? null : bytesOf(size, random),
    params: PARAMS[Math.floor(random() * PARAMS.length)],
    src_crs: random() < 0.5 ? 'EPSG:4326' : null,
    // not in the order in which they happen: clocks differ
    failed_at: new Date(BASE_MS + Math.floor(random() * 86_400_000)).toISOString(),
    message: `failure ${i} of burst ${burst}`,
  };
}

function bytesOf(size: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 4096) bytes.fill(Math.floor(random() * 256), at, Math.min(size, at + 4096));
  for (let at = 0; at < Math.min(size, 300); at += 1) bytes[at] = Math.floor(random() * 256);
  return bytes;
}
