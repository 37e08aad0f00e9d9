import { capturesOf } from '@/db/queries/captures-of';
import type { TriageContext } from '../triage-context';
import { captureLine } from './capture-line';
import type { Exported } from './export-rows';
import { partsOf } from './parts';

/**
 * A line an entry, which is the capture that stands: sent back in, it gives the same entry, and into the database it came from it
 * counts for nothing. What a viewer may not read of a sensitive entry is no capture: its line says so, and is refused by name.
 */
export async function* exportNdjson(
  { db }: Pick<TriageContext, 'db'>,
  pages: AsyncIterable<Exported[]>,
): AsyncGenerator<string> {
  for await (const page of pages)
    for (const part of partsOf(ownersFirst(page), ({ capture_bytes }) => capture_bytes ?? 0)) {
      const ids = part.filter(({ capture_bytes }) => capture_bytes !== null).map(({ row }) => row.id);
      const captures = ids.length === 0 ? new Map() : await capturesOf(db, ids);
      yield part
        .map(({ row }) => {
          const found = captures.get(row.id);
          const { id, task_name, queue, failure_class } = row;
          return `${found ? captureLine(found) : JSON.stringify({ masked: { id, task_name, queue, failure_class } })}\n`;
        })
        .join('');
    }
}

/** A key that two tasks share belongs to whose capture comes first: here to the one that has it. Both can be of one batch, in any order. */
const ownersFirst = (page: readonly Exported[]): Exported[] => [
  ...page.filter(({ row }) => row.given_key === null),
  ...page.filter(({ row }) => row.given_key !== null),
];
