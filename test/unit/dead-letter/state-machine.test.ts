import { describe, expect, test } from 'vitest';
import { capturedEntry, type EntryModel, type Failure } from '@/lib/dead-letter/entry-model';
import type { Settlement } from '@/lib/dead-letter/redrive-transitions';
import { type Command, transition } from '@/lib/dead-letter/state-machine';

const failure = (change: Partial<Failure> = {}): Failure => ({
  capture_id: crypto.randomUUID(),
  payload_hash: 'p',
  code_version: 'v1',
  failed_at: 0,
  received_at: 0,
  attempt_id: null,
  ...change,
});

const HOUR = 3_600_000;

/** An entry that was captured at 0, and commands in order; each must be accepted. */
function entryAfter(...commands: ((entry: EntryModel) => Command)[]): EntryModel {
  return commands.reduce((entry, command) => {
    const result = transition(entry, command(entry));
    expect(result, `${command(entry).do} was refused: ${result.reason}`).toMatchObject({ accepted: true });
    expect(result.entry.version).toBe(entry.version + 1);
    return result.entry;
  }, capturedEntry(failure()));
}

const claim =
  (at: number, idempotent = false) =>
  (entry: EntryModel): Command => ({
    do: 'claim',
    version: entry.version,
    attempt_id: `attempt at ${at}`,
    lease_until: at + HOUR,
    idempotent,
  });
const intend =
  (at: number) =>
  (entry: EntryModel): Command => ({ do: 'intend', at, attempt_id: entry.attempt_id!, need_ms: 1000 });
const settle =
  (outcome: Settlement, at: number) =>
  (entry: EntryModel): Command => ({ do: 'settle', at, attempt_id: entry.attempt_id!, outcome });
const sweep = (at: number) => (): Command => ({ do: 'sweep', at, confirm_ms: HOUR });
const abandon =
  (at: number) =>
  (entry: EntryModel): Command => ({ do: 'abandon', at, version: entry.version });
const fail = (change: Partial<Failure>) => (): Command => ({
  do: 'capture',
  failure: failure({ received_at: change.failed_at ?? 0, ...change }),
});
const refusal = (entry: EntryModel, command: (entry: EntryModel) => Command) =>
  transition(entry, command(entry)).reason;
const sent = (at: number) => [claim(at), intend(at + 1)];

describe('the way back', () => {
  test('claimed, intended, accepted and succeeded is fixed', () => {
    const entry = entryAfter(...sent(10), settle('accepted', 20), settle('succeeded', 30));
    expect(entry).toMatchObject({ state: 'resolved', resolution: 'fixed', redrive_total: 1, attempt_id: null });
  });

  test('three rejections reach the cap: abandoned, by name', () => {
    const entry = entryAfter(
      ...sent(10),
      settle('rejected', 12),
      ...sent(20),
      settle('failed', 22),
      ...sent(30),
      settle('rejected', 32),
    );
    expect(entry).toMatchObject({ state: 'resolved', resolution: 'abandoned', redrive_attempts: 3 });
  });

  test('what was proved never to be sent burns nothing, before the intent and after it', () => {
    expect(entryAfter(claim(10), settle('never_sent', 11))).toMatchObject({ state: 'open', redrive_total: 0 });
    expect(entryAfter(...sent(10), settle('never_sent', 12))).toMatchObject({ state: 'open', redrive_total: 0 });
  });

  test('an entry in doubt is redriven only where its target does not run one key twice', () => {
    const doubtful = entryAfter(...sent(10), settle('unknown', 20));
    expect(refusal(doubtful, claim(30))).toBe('in_doubt');
    expect(transition(doubtful, claim(30, true)(doubtful)).entry.redrives.map((redrive) => redrive.outcome)).toEqual([
      'unknown',
      null,
    ]);
  });

  test('a late success of an entry that is to be abandoned wins', () => {
    const entry = entryAfter(...sent(10), abandon(15), settle('unknown', 20), settle('succeeded', 30));
    expect(entry).toMatchObject({ state: 'resolved', resolution: 'fixed', cancel_requested: false });
  });

  test('an entry that is to be abandoned is not sent any more', () => {
    expect(refusal(entryAfter(claim(10), abandon(11)), intend(12))).toBe('cancel_requested');
    expect(entryAfter(claim(10), abandon(11), settle('never_sent', 12))).toMatchObject({ resolution: 'abandoned' });
  });
});

describe('a worker that dies', () => {
  test('before the send leaves the entry open; the third time it is quarantined', () => {
    const died = (at: number) => [claim(at), sweep(at + HOUR)];
    expect(entryAfter(...died(10))).toMatchObject({ state: 'open', worker_deaths: 1, redrive_total: 0 });
    expect(entryAfter(...died(10), ...died(20), ...died(30))).toMatchObject({ state: 'quarantined', worker_deaths: 3 });
  });

  test('after the intent leaves it in doubt', () => {
    expect(entryAfter(...sent(10), sweep(10 + HOUR))).toMatchObject({ state: 'in_doubt', redrive_total: 1 });
  });
});

describe('a further failure', () => {
  test('that carries the attempt is the failure of that redrive', () => {
    const entry = entryAfter(...sent(10), settle('accepted', 20), fail({ failed_at: 30, attempt_id: 'attempt at 10' }));
    expect(entry).toMatchObject({ state: 'open', redrives: [{ outcome: 'refailed' }] });
  });

  test('that carries none and came after the send is it too; one from long before, loaded late, only counts', () => {
    const late = 10 * HOUR;
    expect(entryAfter(...sent(late), fail({ failed_at: late + 5 })).state).toBe('open');
    expect(entryAfter(...sent(late), fail({ failed_at: 5, received_at: late + 5 })).state).toBe('redriving');
  });

  test('reopens a fixed entry with all its redrives before it', () => {
    const entry = entryAfter(...sent(10), settle('succeeded', 20), fail({ failed_at: 30 }));
    expect(entry).toMatchObject({ state: 'open', reopen_count: 1, redrive_attempts: 0, redrive_total: 1 });
  });

  test('of an abandoned entry reopens it only under another payload or code', () => {
    expect(entryAfter(abandon(10), fail({ failed_at: 20 }))).toMatchObject({ state: 'resolved', reopen_count: 0 });
    expect(entryAfter(abandon(10), fail({ failed_at: 20, code_version: 'v2' })).state).toBe('open');
    expect(entryAfter(abandon(10), fail({ failed_at: 20, payload_hash: 'q' })).state).toBe('open');
  });

  test('of a redrive that had ended at the cap does not bring the entry back', () => {
    const last = [
      ...sent(10),
      settle('failed', 12),
      ...sent(20),
      settle('failed', 22),
      ...sent(30),
      settle('failed', 32),
    ];
    const entry = entryAfter(...last, fail({ failed_at: 40, code_version: 'v2', attempt_id: 'attempt at 30' }));
    expect(entry).toMatchObject({ state: 'resolved', resolution: 'abandoned' });
  });
});

test('whoever saw another version is refused', () => {
  const entry = capturedEntry(failure());
  for (const command of [claim(1), abandon(1)]) {
    const stale = { ...command(entry), version: entry.version - 1 } as Command;
    expect(transition(entry, stale)).toEqual({ entry, accepted: false, reason: 'changed' });
  }
});
