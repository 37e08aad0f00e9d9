import { createHash } from 'node:crypto';
import type { RedriveRow } from '@/db/queries/load-redrives';
import { paramsText } from '@/lib/dead-letter/params-text';
import { sha256OfRef } from '@/lib/dead-letter/size-rule';

/** What goes to a target, but for its signature. */
export interface RedriveHttpRequest {
  headers: Record<string, string>;
  body: string;
}

/** What is read of a row to build its request. */
export type Rebuildable = Omit<RedriveRow, 'target' | 'code_versions' | 'params_schema' | 'takes_references'>;

/** Longer keys do not fit the header limits of common servers (8 KB for all of them). */
const MAX_KEY_HEADER_BYTES = 4096;

/**
 * The request of a redrive, the same for the same row: the payload exactly as captured,
 * or as a person edited it, which the request then says. `params` and `source_window` enter
 * the body as text, so that numbers which no double can hold arrive as they were given.
 */
export function buildRequest(row: Rebuildable, public_url: string | null): RedriveHttpRequest {
  const { params_jsonb, params_raw, source_window, ...plain } = row;
  const { params_text } = paramsText(params_jsonb, params_raw);
  const members = JSON.stringify({
    attempt_id: plain.attempt_id,
    entry_id: plain.entry_id,
    idempotency_key: plain.idempotency_key,
    work_key: plain.work_key,
    queue: plain.queue,
    task_name: plain.task_name,
    task_id: plain.task_id,
    code_version: plain.code_version,
    geom_wkb: plain.geom_wkb,
    geom_given: plain.geom_given,
    geom_format: plain.geom_format,
    srid: plain.srid,
    src_crs: plain.src_crs,
    tile_z: plain.tile_z,
    tile_x: plain.tile_x,
    tile_y: plain.tile_y,
    tile_matrix_set: plain.tile_matrix_set,
    source_uris: plain.source_uris,
    nodata: plain.nodata,
    target_crs: plain.target_crs,
    payload_ref: plain.payload_ref,
    payload_url: payloadUrl(plain.payload_ref, public_url),
    payload_hash: plain.payload_hash,
    edited_by: plain.edited_by,
  });
  return {
    headers: {
      'content-type': 'application/json',
      'idempotency-key': idempotencyHeader(plain.idempotency_key),
      'dlo-attempt-id': plain.attempt_id,
      ...(plain.edited_by === null ? {} : { 'dlo-payload-edited': 'true' }),
    },
    body: `${members.slice(0, -1)},"source_window":${source_window ?? 'null'},"params":${params_text ?? 'null'}}`,
  };
}

function payloadUrl(payload_ref: string | null, public_url: string | null): string | null {
  const sha256 = sha256OfRef(payload_ref);
  return sha256 === null ? null : `${public_url ?? ''}/api/blobs/${sha256}`;
}

/**
 * The key as a header carries it: its UTF-8 bytes. A key that no header can carry (control characters, blanks at its ends,
 * over 4,096 bytes) goes as `sha256:` and its hash; the body has it whole. The same for the same key, always.
 */
export function idempotencyHeader(key: string): string {
  const bytes = Buffer.from(key, 'utf8');
  const fits = bytes.length > 0 && bytes.length <= MAX_KEY_HEADER_BYTES && key === key.trim() && !hasControl(bytes);
  return fits ? bytes.toString('latin1') : `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

const hasControl = (bytes: Buffer): boolean => bytes.some((byte) => byte < 0x20 || byte === 0x7f);
