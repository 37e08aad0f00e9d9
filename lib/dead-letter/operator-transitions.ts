import { type EntryModel, endRedrive, LANDED, refuse, resolvedAs, step, type Transition } from './entry-model';
import type { Resolution } from './vocabulary';

const RESTING: readonly string[] = ['open', 'quarantined', 'in_doubt'];

type Seen = { at: number; version: number };

/** Why an entry cannot be abandoned, or null. */
export function abandonRefusal(entry: Pick<EntryModel, 'state' | 'cancel_requested'>): string | null {
  if (entry.state === 'resolved') return 'resolved';
  return !RESTING.includes(entry.state) && entry.cancel_requested ? 'cancel_requested' : null;
}

/** At rest it is abandoned at once; in flight that is asked for, and the outcome of the redrive decides. */
export function abandon(entry: EntryModel, { at, version }: Seen): Transition {
  const refusal = abandonRefusal(entry);
  if (refusal) return refuse(entry, refusal);
  if (version !== entry.version) return refuse(entry, 'changed');
  if (!RESTING.includes(entry.state)) return step(entry, { cancel_requested: true });
  return step(entry, { ...LANDED, ...resolvedAs('abandoned', at), redrives: endRedrive(entry, 'unknown') });
}

export function quarantineRefusal(entry: Pick<EntryModel, 'state'>): string | null {
  if (entry.state === 'open') return null;
  return entry.state === 'redriving' || entry.state === 'redriven' ? 'in_flight' : entry.state;
}

export function quarantine(entry: EntryModel, { version }: Seen): Transition {
  const refusal = quarantineRefusal(entry);
  if (refusal) return refuse(entry, refusal);
  return version === entry.version ? step(entry, { state: 'quarantined' }) : refuse(entry, 'changed');
}

export function reopenRefusal(entry: Pick<EntryModel, 'state'>): string | null {
  if (entry.state === 'open') return 'open';
  return entry.state === 'redriving' || entry.state === 'redriven' ? 'in_flight' : null;
}

/** A person's decision: the entry starts anew, with all its redrives before it. In doubt it means "it did not happen". */
export function reopen(entry: EntryModel, { version }: Seen): Transition {
  const refusal = reopenRefusal(entry);
  if (refusal) return refuse(entry, refusal);
  if (version !== entry.version) return refuse(entry, 'changed');
  return step(entry, {
    ...LANDED,
    state: 'open',
    resolution: null,
    resolved_at: null,
    redrive_attempts: 0,
    worker_deaths: 0,
    reopen_count: entry.reopen_count + (entry.state === 'resolved' ? 1 : 0),
    redrives: endRedrive(entry, 'unknown'),
  });
}

/** Resolved by hand. In doubt, `fixed` means "it did happen". */
export function resolve(
  entry: EntryModel,
  { at, version, resolution }: Seen & { resolution: Exclude<Resolution, 'abandoned'> },
): Transition {
  if (entry.state === 'resolved') return refuse(entry, 'resolved');
  if (!RESTING.includes(entry.state)) return refuse(entry, 'in_flight');
  if (version !== entry.version) return refuse(entry, 'changed');
  const redrives = endRedrive(entry, resolution === 'fixed' ? 'succeeded' : 'unknown');
  return step(entry, { ...LANDED, ...resolvedAs(resolution, at), redrives });
}
