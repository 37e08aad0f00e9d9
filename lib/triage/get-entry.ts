import type { Tx } from '@/db/client';
import { type EntryRow, getEntryRow } from '@/db/queries/get-entry';
import { listCodeVersions } from '@/db/queries/list-code-versions';
import { listEvents } from '@/db/queries/list-events';
import { listOccurrences } from '@/db/queries/list-occurrences';
import { listPayloads, type PayloadRow } from '@/db/queries/list-payloads';
import { listRedrives } from '@/db/queries/list-redrives';
import type { Entry, Payload } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import { paramsText } from '@/lib/dead-letter/params-text';
import { noSuchEntry, readEntryId } from './entry-id';
import { entryFor } from './mask';
import { redriveOutlook } from './redrive-outlook';
import type { TriageContext } from './triage-context';

/**
 * One entry whole, from one snapshot: what was captured, what became of it, whether it can be rebuilt and what a redrive
 * would send. @throws DlqError not_found.
 */
export async function getEntry(ctx: TriageContext, { id }: { id: string }): Promise<Entry> {
  const { role } = ctx.actor;
  const entry_id = readEntryId(id);
  return ctx.db.transaction(
    async (tx) => {
      const row = await getEntryRow(tx, entry_id, role);
      if (!row) throw noSuchEntry(id);
      return entryFor(await assemble(tx, row), role);
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function assemble(tx: Tx, { lon, lat, payload_hash, ...row }: EntryRow): Promise<Entry> {
  const payload_rows = await listPayloads(tx, row.id);
  const payloads = payload_rows.map(payloadOf);
  const payload = payloads.find((one) => one.payload_hash === payload_hash);
  if (!payload) throw new DlqError('internal', `entry ${row.id} has no payload ${payload_hash}`);
  return {
    ...row,
    position: lon === null || lat === null ? null : [lon, lat],
    payload,
    payloads,
    occurrences: await listOccurrences(tx, row.id),
    events: await listEvents(tx, row.id),
    redrives: await listRedrives(tx, row.id),
    versions: await listCodeVersions(tx, row.task_name),
    ...(await redriveOutlook(tx, { entry_id: row.id, task_name: row.task_name, code_version: row.code_version })),
  };
}

/** `params_exact` is true where the text is byte for byte what was given; jsonb's own text is sorted and without blanks. */
function payloadOf({ params_raw, params_text: jsonb_text, ...row }: PayloadRow): Payload {
  const { params_text, params_readable } = paramsText(jsonb_text, params_raw);
  return { ...row, params_text, params_exact: params_raw !== null && params_readable };
}
