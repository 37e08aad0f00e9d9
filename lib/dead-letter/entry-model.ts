import type { Resolution, State } from './vocabulary';

/** Milliseconds by which the clock of a producer may lag ours: a failure older than the send by more is no answer to it. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** After this many workers that died with the entry in hand and unsent it is quarantined: its payload may be what kills them. */
export const MAX_WORKER_DEATHS = 3;

export const REDRIVE_OUTCOMES = ['succeeded', 'refailed', 'rejected', 'unknown', 'cancelled', 'never_sent'] as const;
export type RedriveOutcome = (typeof REDRIVE_OUTCOMES)[number];

/** One try to send an entry back. Times are milliseconds of one clock, the database's. */
export interface Redrive {
  attempt_id: string;
  sent_at: number | null;
  outcome: RedriveOutcome | null;
}

/** One capture of one failure. `failed_at` is the producer's word, `received_at` ours. */
export interface Failure {
  capture_id: string;
  payload_hash: string;
  code_version: string | null;
  failed_at: number;
  received_at: number;
  attempt_id: string | null;
}

/**
 * A dead letter as the state machine sees it: `attempts` = failures.length, `redrive_attempts` since the last reopening,
 * `redrive_total` over its life. At most one redrive has no outcome; its id is `attempt_id`.
 */
export interface EntryModel {
  state: State;
  resolution: Resolution | null;
  version: number;
  redrive_attempts: number;
  redrive_total: number;
  max_redrives: number;
  reopen_count: number;
  attempt_id: string | null;
  lease_until: number | null;
  redriven_at: number | null;
  resolved_at: number | null;
  cancel_requested: boolean;
  worker_deaths: number;
  failed_at: number;
  payload_hash: string;
  code_version: string | null;
  failures: readonly Failure[];
  redrives: readonly Redrive[];
}

/** What became of a command: the entry after it, or the same entry and one word why not. */
export interface Transition {
  entry: EntryModel;
  accepted: boolean;
  reason?: string;
}

/** The entry that a first capture makes. */
export function capturedEntry(failure: Failure, max_redrives = 3): EntryModel {
  return {
    state: 'open',
    resolution: null,
    version: 1,
    redrive_attempts: 0,
    redrive_total: 0,
    max_redrives,
    reopen_count: 0,
    attempt_id: null,
    lease_until: null,
    redriven_at: null,
    resolved_at: null,
    cancel_requested: false,
    worker_deaths: 0,
    failed_at: failure.failed_at,
    payload_hash: failure.payload_hash,
    code_version: failure.code_version,
    failures: [failure],
    redrives: [],
  };
}

export const refuse = (entry: EntryModel, reason: string): Transition => ({ entry, accepted: false, reason });

/** The entry one version on. */
export const step = (entry: EntryModel, change: Partial<EntryModel>): Transition => ({
  entry: { ...entry, ...change, version: entry.version + 1 },
  accepted: true,
});

/** What every way out of flight has in common. */
export const LANDED = { attempt_id: null, lease_until: null, cancel_requested: false } as const;

export const resolvedAs = (resolution: Resolution, at: number): Partial<EntryModel> => ({
  state: 'resolved',
  resolution,
  resolved_at: at,
});

/** The redrives with the living one ended as `outcome`. */
export const endRedrive = (entry: EntryModel, outcome: RedriveOutcome, change: Partial<Redrive> = {}): Redrive[] =>
  entry.redrives.map((redrive) =>
    redrive.attempt_id === entry.attempt_id && redrive.outcome === null ? { ...redrive, ...change, outcome } : redrive,
  );

export const livingRedrive = (entry: EntryModel): Redrive | undefined =>
  entry.redrives.find((redrive) => redrive.attempt_id === entry.attempt_id && redrive.outcome === null);
