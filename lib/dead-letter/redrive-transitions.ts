import {
  CLOCK_TOLERANCE_MS,
  type EntryModel,
  endRedrive,
  LANDED,
  livingRedrive,
  MAX_WORKER_DEATHS,
  refuse,
  resolvedAs,
  step,
  type Transition,
} from './entry-model';

/**
 * What a sender can know. `never_sent`: proved that no byte reached the target (the intent, if there was one, is taken
 * back). `failed`: the target says that the task failed again. `unknown`: sent, and nothing is known of it.
 */
export const SETTLEMENTS = ['accepted', 'succeeded', 'rejected', 'failed', 'unknown', 'never_sent'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

const SETTLED_FROM: Record<Settlement, readonly string[]> = {
  accepted: ['redriving', 'in_doubt'],
  unknown: ['redriving', 'redriven'],
  succeeded: ['redriving', 'redriven', 'in_doubt'],
  failed: ['redriving', 'redriven', 'in_doubt'],
  rejected: ['redriving', 'in_doubt'],
  never_sent: ['redriving', 'in_doubt'],
};

/** Why an entry cannot be claimed, or null. An entry in doubt can, where its target does not run one key twice. */
export function claimRefusal(
  entry: Pick<EntryModel, 'state' | 'redrive_attempts' | 'max_redrives' | 'cancel_requested'>,
  idempotent: boolean,
): string | null {
  if (entry.state === 'quarantined' || entry.state === 'resolved') return entry.state;
  if (entry.state === 'redriving' || entry.state === 'redriven') return 'in_flight';
  if (entry.cancel_requested) return 'cancel_requested';
  if (entry.state === 'in_doubt' && !idempotent) return 'in_doubt';
  return entry.redrive_attempts >= entry.max_redrives ? 'over_cap' : null;
}

export interface Claim {
  version: number;
  attempt_id: string;
  lease_until: number;
  idempotent: boolean;
}

export function claim(entry: EntryModel, command: Claim): Transition {
  const refusal = claimRefusal(entry, command.idempotent);
  if (refusal) return refuse(entry, refusal);
  if (command.version !== entry.version) return refuse(entry, 'changed');
  return step(entry, {
    state: 'redriving',
    attempt_id: command.attempt_id,
    lease_until: command.lease_until,
    redrives: [...endRedrive(entry, 'unknown'), { attempt_id: command.attempt_id, sent_at: null, outcome: null }],
  });
}

/** Recorded before the send, once a redrive: whatever happens after it, the send is counted. */
export function intend(entry: EntryModel, command: { at: number; attempt_id: string; need_ms: number }): Transition {
  if (entry.state !== 'redriving' || entry.attempt_id !== command.attempt_id) return refuse(entry, 'not_yours');
  if (livingRedrive(entry)?.sent_at !== null) return refuse(entry, 'already_intended');
  if (entry.cancel_requested) return refuse(entry, 'cancel_requested');
  if (entry.lease_until === null || entry.lease_until <= command.at + command.need_ms)
    return refuse(entry, 'lease_too_short');
  return step(entry, {
    redrive_attempts: entry.redrive_attempts + 1,
    redrive_total: entry.redrive_total + 1,
    worker_deaths: 0,
    lease_until: command.at + command.need_ms,
    redrives: entry.redrives.map((redrive) =>
      redrive.attempt_id === command.attempt_id ? { ...redrive, sent_at: command.at } : redrive,
    ),
  });
}

export function settle(
  entry: EntryModel,
  command: { at: number; attempt_id: string; outcome: Settlement },
): Transition {
  const { at, outcome } = command;
  if (entry.attempt_id !== command.attempt_id) return refuse(entry, 'not_yours');
  if (!SETTLED_FROM[outcome].includes(entry.state)) return refuse(entry, entry.state);
  const sent_at = livingRedrive(entry)?.sent_at ?? null;
  if (sent_at === null && outcome !== 'never_sent') return refuse(entry, 'not_sent');
  if (outcome === 'accepted') return step(entry, { state: 'redriven', redriven_at: at, lease_until: null });
  if (outcome === 'unknown') return step(entry, { state: 'in_doubt', lease_until: null });
  if (outcome === 'succeeded') {
    const redriven_at = entry.state === 'redriven' ? entry.redriven_at : at;
    const redrives = endRedrive(entry, 'succeeded');
    if (!failedSince(entry, sent_at ?? at))
      return step(entry, { ...LANDED, ...resolvedAs('fixed', at), redriven_at, redrives });
    const after = entry.cancel_requested ? resolvedAs('abandoned', at) : { state: 'open' as const };
    return step(entry, { ...LANDED, ...after, redriven_at, redrives });
  }
  if (outcome === 'never_sent') {
    const taken_back = sent_at === null ? 0 : 1;
    return step(entry, {
      ...LANDED,
      ...(entry.cancel_requested ? resolvedAs('abandoned', at) : { state: 'open' }),
      redrive_attempts: entry.redrive_attempts - taken_back,
      redrive_total: entry.redrive_total - taken_back,
      redrives: endRedrive(entry, entry.cancel_requested ? 'cancelled' : 'never_sent', { sent_at: null }),
    });
  }
  const over = entry.cancel_requested || entry.redrive_attempts >= entry.max_redrives;
  return step(entry, {
    ...LANDED,
    ...(over ? resolvedAs('abandoned', at) : { state: 'open' }),
    redrives: endRedrive(entry, outcome === 'failed' ? 'refailed' : 'rejected'),
  });
}

/** A failure heard of since the send, and not older than it, speaks against a success. */
const failedSince = (entry: EntryModel, sent_at: number): boolean =>
  entry.failures.some((failure) => failure.received_at > sent_at && sent_at < failure.failed_at + CLOCK_TOLERANCE_MS);

/**
 * The sweep over this entry. A lease that ran out without a send is a dead worker; with one the outcome is in doubt, and
 * so it is when an accepted redrive is not confirmed for `confirm_ms`.
 */
export function sweep(entry: EntryModel, command: { at: number; confirm_ms: number }): Transition {
  const { at } = command;
  if (entry.state === 'redriven' && entry.redriven_at !== null && entry.redriven_at <= at - command.confirm_ms)
    return step(entry, { state: 'in_doubt' });
  if (entry.state !== 'redriving' || entry.lease_until === null || entry.lease_until > at)
    return refuse(entry, 'not_due');
  if (livingRedrive(entry)?.sent_at !== null) return step(entry, { state: 'in_doubt', lease_until: null });
  const worker_deaths = entry.worker_deaths + 1;
  const after = entry.cancel_requested
    ? resolvedAs('abandoned', at)
    : { state: worker_deaths >= MAX_WORKER_DEATHS ? ('quarantined' as const) : ('open' as const) };
  return step(entry, {
    ...LANDED,
    ...after,
    worker_deaths,
    redrives: endRedrive(entry, entry.cancel_requested ? 'cancelled' : 'never_sent'),
  });
}
