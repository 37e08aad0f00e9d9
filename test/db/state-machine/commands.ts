import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect } from 'vitest';
import { abandon } from '@/db/queries/abandon';
import { claim } from '@/db/queries/claim';
import { intend } from '@/db/queries/intend';
import { quarantine } from '@/db/queries/quarantine';
import { reopen } from '@/db/queries/reopen';
import { resolve } from '@/db/queries/resolve';
import { settle } from '@/db/queries/settle';
import { type SweepKind, sweep } from '@/db/queries/sweep';
import { SETTLEMENTS, type Settlement } from '@/lib/dead-letter/redrive-transitions';
import { type Command, transition } from '@/lib/dead-letter/state-machine';
import { STATES, type State } from '@/lib/dead-letter/vocabulary';
import { captureInto, expectSameWorlds, type Model, type Real, TASKS, WHEN, type When } from './world';

type Which = readonly number[];
/** Whose attempt a caller names: the one the entry has or had last, the one before, or nobody's. */
type Whose = 'last' | 'earlier' | 'nobody';

const IN_FLIGHT: readonly State[] = ['redriving', 'redriven', 'in_doubt'];
const CLOSED: readonly State[] = ['quarantined', 'resolved', 'in_doubt'];

const HOUR_MS = 3_600_000;

function attemptOf(model: Model, index: number, whose: Whose): string {
  const { attempt_id, redrives } = model.entries[index]!;
  if (whose === 'nobody') return randomUUID();
  if (whose === 'last' && attempt_id) return attempt_id;
  return redrives.at(whose === 'last' ? -1 : -2)?.attempt_id ?? randomUUID();
}

/** A command over some of the entries: `model` per entry, `real` once over the set, answering the ids that it changed. */
class SetCommand implements fc.AsyncCommand<Model, Real, false> {
  constructor(
    private readonly text: string,
    private readonly which: Which,
    /** The states of which one of the entries must be in one, so that sequences do not fill with refusals. */
    private readonly states: readonly State[],
    private readonly prepare: (
      model: Model,
      real: Real,
    ) => {
      model: (index: number) => Command;
      real: () => Promise<{ entry_id: string }[]>;
    },
  ) {}
  check = (model: Model) => this.which.some((index) => this.states.includes(model.entries[index]!.state));
  async run(model: Model, real: Real): Promise<void> {
    model.now += 1;
    const both = this.prepare(model, real);
    const expected: string[] = [];
    for (const index of this.which) {
      const { entry, accepted } = transition(model.entries[index]!, both.model(index));
      model.entries[index] = entry;
      if (accepted) expected.push(real.ids[index]!);
    }
    const changed = (await both.real()).map((row) => row.entry_id).filter((id) => real.ids.includes(id));
    expect(changed.sort(), this.text).toEqual(expected.sort());
    await expectSameWorlds(model, real);
  }
  toString = () => `${this.text} ${this.which.join()}`;
}

class CaptureCommand implements fc.AsyncCommand<Model, Real, false> {
  constructor(
    private readonly index: number,
    private readonly what: {
      payload: number;
      code_version: string;
      when: When;
      whose: Whose | null;
      replayed: boolean;
    },
  ) {}
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    model.now += 1;
    const { payload, code_version, when, whose, replayed } = this.what;
    const entry = model.entries[this.index]!;
    const capture_id = replayed ? entry.failures.at(-1)!.capture_id : randomUUID();
    const attempt_id = whose ? attemptOf(model, this.index, whose) : null;
    const after = transition(entry, {
      do: 'capture',
      failure: {
        capture_id,
        payload_hash: String(payload),
        code_version,
        failed_at: WHEN[when].model(model.now),
        received_at: model.now,
        attempt_id,
      },
    });
    model.entries[this.index] = after.entry;
    const unit = { work_key: real.keys[this.index]!, task_name: TASKS[this.index]! };
    const { outcome } = await captureInto(real.db, unit, { capture_id, payload, code_version, when, attempt_id });
    const expected = after.entry.reopen_count > entry.reopen_count ? 'reopened' : 'repeated';
    expect(outcome).toBe(after.accepted ? expected : 'duplicate');
    await expectSameWorlds(model, real);
  }
  toString = () => `capture ${this.index} ${JSON.stringify(this.what)}`;
}

/** Time passes until the leases of these entries are over. */
class LeaseRunsOut implements fc.AsyncCommand<Model, Real, false> {
  constructor(private readonly which: Which) {}
  check = (model: Model) => this.which.some((index) => model.entries[index]!.lease_until !== null);
  async run(model: Model, real: Real): Promise<void> {
    for (const index of this.which) {
      const entry = model.entries[index]!;
      if (entry.lease_until !== null) model.entries[index] = { ...entry, lease_until: model.now };
    }
    await real.db.execute(sql`
      update dlq.state set lease_until = clock_timestamp() - interval '1 second'
      where lease_until is not null and entry_id = any(${sql.param(this.which.map((index) => real.ids[index]!))}::bigint[])`);
  }
  toString = () => `lease runs out ${this.which.join()}`;
}

const some = fc.subarray([0, 1, 2], { minLength: 1 });
const which = fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([0, 1, 2]) }, { weight: 1, arbitrary: some });
const one = fc.integer({ min: 0, max: 2 }).map((index) => [index]);
const stale = fc.integer({ min: 0, max: 5 }).map((n) => n === 0);
const whose = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Whose>('last') },
  { weight: 2, arbitrary: fc.constantFrom<Whose>('earlier', 'nobody') },
);
const seen = (model: Model, real: Real, chosen: Which, is_stale: boolean) =>
  chosen.map((index) => ({ entry_id: real.ids[index]!, version: version(model, index, is_stale) }));
const version = (model: Model, index: number, is_stale: boolean) =>
  String(model.entries[index]!.version - (is_stale ? 1 : 0));

const claimCommand = fc.tuple(which, stale, fc.constantFrom(HOUR_MS, HOUR_MS, HOUR_MS, 60_000)).map(
  ([chosen, is_stale, lease_ms]) =>
    new SetCommand(
      `claim ${is_stale ? 'stale' : ''} for ${lease_ms} ms`,
      chosen,
      ['open', 'in_doubt'],
      (model, real) => {
        const items = seen(model, real, chosen, is_stale).map((item) => ({ ...item, attempt_id: randomUUID() }));
        return {
          model: (index) => ({
            do: 'claim',
            version: model.entries[index]!.version - (is_stale ? 1 : 0),
            attempt_id: items[chosen.indexOf(index)]!.attempt_id,
            lease_until: model.now + lease_ms,
            idempotent: TASKS[index] === 'idempotent',
          }),
          real: () => claim(real.db, items, { worker: 'test', operation_id: null, lease_ms }),
        };
      },
    ),
);

const intendCommand = fc.tuple(which, whose).map(
  ([chosen, of]) =>
    new SetCommand(`intend ${of}`, chosen, ['redriving'], (model, real) => {
      const items = chosen.map((index) => ({ entry_id: real.ids[index]!, attempt_id: attemptOf(model, index, of) }));
      const need_ms = 600_000;
      return {
        model: (index) => ({
          do: 'intend',
          at: model.now,
          attempt_id: items[chosen.indexOf(index)]!.attempt_id,
          need_ms,
        }),
        real: () => intend(real.db, items, need_ms),
      };
    }),
);

const settleCommand = fc
  .tuple(
    which,
    whose,
    fc.array(fc.constantFrom<Settlement>('accepted', 'accepted', ...SETTLEMENTS), { minLength: 3, maxLength: 3 }),
  )
  .map(
    ([chosen, of, outcomes]) =>
      new SetCommand(`settle ${of} ${outcomes.join()}`, chosen, IN_FLIGHT, (model, real) => {
        const items = chosen.map((index) => ({
          entry_id: real.ids[index]!,
          attempt_id: attemptOf(model, index, of),
          outcome: outcomes[index]!,
          answer: null,
        }));
        return {
          model: (index) => {
            const { attempt_id, outcome } = items[chosen.indexOf(index)]!;
            return { do: 'settle', at: model.now, attempt_id, outcome };
          },
          real: () => settle(real.db, items),
        };
      }),
  );

const sweepCommand = fc.constantFrom(0, HOUR_MS).map(
  (confirm_ms) =>
    new SetCommand(`sweep ${confirm_ms}`, [0, 1, 2], IN_FLIGHT, (model, real) => ({
      model: () => ({ do: 'sweep', at: model.now, confirm_ms }),
      real: async () => {
        const swept = [];
        for (const kind of ['unsent', 'unanswered', 'unconfirmed'] satisfies SweepKind[])
          swept.push(...(await sweep(real.db, { kind, confirm_ms })));
        return swept;
      },
    })),
);

const personCommand = fc
  .tuple(
    one,
    stale,
    fc.constantFrom('abandon', 'quarantine', 'reopen', 'reopen', 'duplicate', 'superseded', 'withdrawn', 'fixed'),
  )
  .map(
    ([chosen, is_stale, verb]) =>
      new SetCommand(
        `${verb} ${is_stale ? 'stale' : ''}`,
        chosen,
        verb === 'reopen' ? CLOSED : STATES,
        (model, real) => {
          const items = seen(model, real, chosen, is_stale);
          const at = (index: number) => ({ at: model.now, version: Number(items[chosen.indexOf(index)]!.version) });
          if (verb === 'abandon')
            return { model: (index) => ({ do: verb, ...at(index) }), real: () => abandon(real.db, items, 'enough') };
          if (verb === 'quarantine')
            return { model: (index) => ({ do: verb, ...at(index) }), real: () => quarantine(real.db, items) };
          if (verb === 'reopen')
            return { model: (index) => ({ do: verb, ...at(index) }), real: () => reopen(real.db, items) };
          const resolution = verb as 'duplicate' | 'superseded' | 'withdrawn' | 'fixed';
          return {
            model: (index) => ({ do: 'resolve', ...at(index), resolution }),
            real: () => resolve(real.db, items, { resolution, reason: 'by hand' }),
          };
        },
      ),
  );

const captureCommand = fc
  .record({
    payload: fc.integer({ min: 0, max: 1 }),
    code_version: fc.constantFrom('v1', 'v1', 'v2'),
    when: fc.constantFrom<When>('now', 'now', 'by_a_slow_clock', 'long_ago'),
    whose: fc.option(whose),
    replayed: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .chain((what) => fc.integer({ min: 0, max: 2 }).map((index) => new CaptureCommand(index, what)));

const often = <T>(times: number, arbitrary: T): T[] => Array.from({ length: times }, () => arbitrary);

/** Sequences that often go the whole way: claims, intents and settlements come more often than the rest. */
export const commandSequences = fc.commands<Model, Real, false>(
  [
    ...often(6, claimCommand),
    ...often(6, intendCommand),
    ...often(6, settleCommand),
    ...often(4, captureCommand),
    ...often(3, personCommand),
    sweepCommand,
    one.map((chosen) => new LeaseRunsOut(chosen)),
  ],
  { maxCommands: 200, size: 'max' },
);
