import type { SignatureRow } from '@/db/queries/describe-signatures';
import type { PageRow } from '@/db/queries/list-page';
import type { Entry, Evidence, Payload } from '@/lib/contract/entry';
import type { ExportRow } from '@/lib/contract/export';
import type { ListItem, Triage } from '@/lib/contract/triage';
import type { Role } from '@/lib/dead-letter/vocabulary';

/**
 * What a role may read of a sensitive entry: the one place that decides it. A viewer sees that the entry exists and what
 * it counts under (task, class, claim, versions, state), and nothing that came from its data. Where it lies is decided
 * by `dlq.position_for` in SQL.
 */
export const MASKED = 'masked';

export function isMasked(sensitive: boolean, role: Role): boolean {
  return sensitive && role === 'viewer';
}

/** The list item of a row. */
export function itemOf({ lon, lat, sensitive, after: _after, ...row }: PageRow, role: Role): ListItem {
  const item: ListItem = { ...row, position: lon === null || lat === null ? null : [lon, lat] };
  return isMasked(sensitive, role) ? maskItem(item) : item;
}

/** A row of an export. */
export function exportRowFor(row: ExportRow, sensitive: boolean, role: Role): ExportRow {
  if (!isMasked(sensitive, role)) return row;
  return {
    ...row,
    work_key: MASKED,
    given_key: masked(row.given_key),
    error_text: masked(row.error_text),
    run_id: masked(row.run_id),
    crs_reason: masked(row.crs_reason),
    suggestion: null,
    lon: null,
    lat: null,
    tile_distance_m: null,
  };
}

export function signatureOf({ sensitive, ...row }: SignatureRow, role: Role): Triage['signatures'][number] {
  return isMasked(sensitive, role) ? { ...row, error_text: masked(row.error_text) } : row;
}

export function entryFor(entry: Entry, role: Role): Entry {
  if (!isMasked(entry.sensitive, role)) return entry;
  return {
    ...entry,
    ...maskItem(entry),
    idempotency_key: MASKED,
    task_id: masked(entry.task_id),
    geom_hash: masked(entry.geom_hash),
    run_id: masked(entry.run_id),
    traceback: masked(entry.traceback),
    resolution_reason: masked(entry.resolution_reason),
    payload: maskPayload(entry.payload),
    payloads: entry.payloads.map(maskPayload),
    occurrences: entry.occurrences.map((one) => ({
      ...one,
      payload_hash: MASKED,
      error_text: masked(one.error_text),
    })),
    events: entry.events.map((event) => ({
      ...event,
      reason: masked(event.reason),
      payload_hash: masked(event.payload_hash),
      change: masked(event.change),
    })),
    redrives: entry.redrives.map((redrive) => ({ ...redrive, answer: masked(redrive.answer) })),
    faithfulness: { ...entry.faithfulness, detail: masked(entry.faithfulness.detail) },
    would_send: null,
  };
}

/** No bytes, no place, nothing that was found by its vertices, and of the faults only what kind they are. What is constant for the claim stays. */
export function evidenceFor(evidence: Evidence, sensitive: boolean, role: Role): Evidence {
  if (!isMasked(sensitive, role)) return evidence;
  return {
    ...evidence,
    geom_wkb: null,
    geom_bytes_at: null,
    geom_omitted: null,
    mappable: false,
    unmappable_reason: evidence.unmappable_reason ?? 'sensitive',
    faults: evidence.faults.map((fault) => ({ ...fault, path: null, at: null, message: MASKED })),
    crs_reason: masked(evidence.crs_reason),
    candidates: [],
    suggestion: null,
    cursor_link: null,
    cursor_link_reason: MASKED,
    reprojected_wkb: null,
    reprojected_at: null,
    reproject_error: masked(evidence.reproject_error),
  };
}

/** What is not there stays so: "masked" means that there is something. */
function masked(value: string | null): string | null {
  return value === null ? null : MASKED;
}

function maskItem<Item extends ListItem>(item: Item): Item {
  return {
    ...item,
    work_key: MASKED,
    given_key: masked(item.given_key),
    error_text: masked(item.error_text),
    position: null,
    tile_distance_m: null,
  };
}

function maskPayload(payload: Payload): Payload {
  return {
    ...payload,
    payload_hash: MASKED,
    geom_given: masked(payload.geom_given),
    geom_error: masked(payload.geom_error),
    tile_z: null,
    tile_x: null,
    tile_y: null,
    source_uris: payload.source_uris && [MASKED],
    source_window: null,
    nodata: masked(payload.nodata),
    params_text: masked(payload.params_text),
    payload_ref: masked(payload.payload_ref),
    edited_by: masked(payload.edited_by),
  };
}
