import {
  CLOCK_TOLERANCE_MS,
  type EntryModel,
  endRedrive,
  type Failure,
  LANDED,
  livingRedrive,
  refuse,
  resolvedAs,
  step,
  type Transition,
} from './entry-model';

/**
 * A further capture of a known entry. It always counts (except the same capture_id again); beyond that it can be
 * the failure of the living redrive, or reopen a resolved entry. The same rules as dlq.capture() in SQL.
 */
export function captureAgain(entry: EntryModel, failure: Failure): Transition {
  if (entry.failures.some((known) => known.capture_id === failure.capture_id)) return refuse(entry, 'duplicate');
  const newest = failure.failed_at >= entry.failed_at;
  const counted: EntryModel = {
    ...entry,
    failures: [...entry.failures, failure],
    failed_at: newest ? failure.failed_at : entry.failed_at,
    payload_hash: newest ? failure.payload_hash : entry.payload_hash,
    code_version: newest ? failure.code_version : entry.code_version,
  };
  if (isFailureOfTheRedrive(entry, failure)) {
    const redrives = endRedrive(entry, 'refailed');
    const over = entry.redrive_attempts >= entry.max_redrives || entry.cancel_requested;
    return step(counted, {
      ...LANDED,
      redrives,
      ...(over ? resolvedAs('abandoned', failure.received_at) : { state: 'open' }),
    });
  }
  if (reopens(entry, failure))
    return step(counted, {
      state: 'open',
      resolution: null,
      resolved_at: null,
      redrive_attempts: 0,
      reopen_count: entry.reopen_count + 1,
    });
  return step(counted, {});
}

/** It carries the attempt, or carries none and failed after the send. */
function isFailureOfTheRedrive(entry: EntryModel, failure: Failure): boolean {
  if (entry.attempt_id === null) return false;
  if (failure.attempt_id !== null) return failure.attempt_id === entry.attempt_id;
  const sent_at = livingRedrive(entry)?.sent_at ?? null;
  return sent_at !== null && sent_at < failure.failed_at + CLOCK_TOLERANCE_MS;
}

/**
 * A failure after the resolution reopens, and so does the failure of a redrive that was believed to have succeeded.
 * An abandoned entry that fails again with the same payload and code only counts, else the cap would be theatre.
 */
function reopens(entry: EntryModel, failure: Failure): boolean {
  if (entry.state !== 'resolved' || entry.resolved_at === null) return false;
  const after = failure.failed_at > entry.resolved_at;
  const redrive = entry.redrives.find(({ attempt_id }) => attempt_id === failure.attempt_id);
  if (entry.resolution !== 'abandoned') return after || redrive?.outcome === 'succeeded';
  const same_again = entry.failures.some(
    (known) => known.payload_hash === failure.payload_hash && known.code_version === failure.code_version,
  );
  return after && redrive === undefined && !same_again;
}
