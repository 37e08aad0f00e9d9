import { countedText, countText } from '@/components/ui/number-text';
import type { Entry } from '@/lib/contract/entry';

/** One line of an entry's history. */
export type HistoryLine = {
  key: string;
  kind: 'failure' | 'state' | 'redrive';
  at: string;
  what: string;
  /** Who, or by which door. */
  actor: string;
  /** Why, or what was said. */
  reason: string | null;
  attempt_id: string | null;
  operation_id: string | null;
  code_version: string | null;
};

type Input = Pick<Entry, 'occurrences' | 'events' | 'redrives'>;

/** What the list does not show of the entry's failures, in sentences. */
export function unlistedFailures({
  attempts,
  attempts_before,
  attempts_before_by,
  occurrences,
}: Pick<Entry, 'attempts' | 'attempts_before' | 'attempts_before_by' | 'occurrences'>): string[] {
  const captured = attempts - attempts_before;
  return [
    ...(occurrences.length < captured
      ? [`The newest ${countText(occurrences.length)} of ${countText(captured)} failures.`]
      : []),
    ...(attempts_before > 0
      ? [
          `${countedText(attempts_before, 'earlier failure was', 'earlier failures were')} counted by ${attempts_before_by} before it was attached; ${attempts_before === 1 ? 'nothing else is known of it' : 'only their number is known'}.`,
        ]
      : []),
  ];
}

/** Failures, transitions and redrives as one list, newest first; at the same moment the effect stands above its cause. */
export function mergeHistory({ occurrences, events, redrives }: Input): HistoryLine[] {
  const none = { attempt_id: null, operation_id: null, code_version: null };
  const lines: HistoryLine[] = [
    ...occurrences.map(
      (one): HistoryLine => ({
        ...none,
        key: `failure ${one.capture_id}`,
        kind: 'failure',
        at: one.failed_at,
        what: one.error_type ? `failed: ${one.error_type}` : 'failed',
        actor: `by ${one.via}`,
        reason: one.error_text,
        attempt_id: one.attempt_id,
        code_version: one.code_version,
      }),
    ),
    ...events.map(
      (event): HistoryLine => ({
        ...none,
        key: `event ${event.id}`,
        kind: 'state',
        at: event.at,
        what: event.change
          ? event.change.startsWith('back to payload')
            ? 'payload put back'
            : 'payload edited'
          : `${event.from_state && event.from_state !== event.to_state ? `${event.from_state} → ` : ''}${event.to_state}${event.resolution ? ` (${event.resolution})` : ''}`,
        actor: event.actor,
        reason: event.change ? [event.change, event.reason].filter(Boolean).join('. ') : event.reason,
        attempt_id: event.attempt_id,
        operation_id: event.operation_id,
      }),
    ),
    ...redrives.flatMap((redrive) => redriveLines(redrive)),
  ];
  const rank = { failure: 0, redrive: 1, state: 2 };
  return lines.sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || rank[b.kind] - rank[a.kind]);
}

function redriveLines(redrive: Entry['redrives'][number]): HistoryLine[] {
  const { attempt_id, operation_id, target } = redrive;
  const line = (at: string | null, what: string, reason: string | null = null): HistoryLine[] =>
    at === null
      ? []
      : [
          {
            key: `${what} ${attempt_id}`,
            kind: 'redrive',
            at,
            what,
            actor: `to ${target}`,
            reason,
            attempt_id,
            operation_id,
            code_version: null,
          },
        ];
  return [
    ...line(redrive.ended_at, `redrive ended: ${redrive.outcome ?? 'without an outcome'}`, redrive.answer),
    ...line(redrive.acked_at, 'redrive taken by the target'),
    ...line(redrive.sent_at, 'redrive sent'),
    ...line(redrive.claimed_at, 'redrive claimed'),
  ];
}
