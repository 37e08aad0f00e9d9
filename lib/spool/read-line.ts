import type { Proposal } from '@/db/queries/capture';
import { readSpoolLine } from '@/lib/capture/spool-line';
import { DlqError } from '@/lib/contract/error';
import { rawMember } from '@/lib/contract/raw-member';
import { derivedCaptureId } from '@/lib/ingest/derived-capture-id';
import { readCapture } from '@/lib/ingest/read-capture';
import type { RejectedLine, RejectReason } from './rejected-line';
import type { RawLine } from './split-lines';

/** A line as the loader takes it; `blob` is the hash of a payload that lies beside the lines. */
export type ReadLine =
  | { raw: RawLine; proposal: Proposal; blob: string | null }
  | { raw: RawLine; rejected: RejectedLine };

/** Checks one line of a file and reads its capture; `identity` is the file's, see `fileIdentity`. Total: what cannot be taken carries the reason. */
export function readLine(identity: string, raw: RawLine): ReadLine {
  if (!raw.is_whole) return refuse(raw, 'too_long', `the line has ${raw.end - raw.offset} bytes, over the limit`);
  const read = readSpoolLine(raw.bytes);
  if ('bad' in read) return refuse(raw, reasonOf(read.bad, raw), read.bad);
  try {
    return { raw, proposal: proposalOf(identity, raw.line, read.capture), blob: blobOf(read.capture) };
  } catch (error) {
    if (!(error instanceof DlqError)) throw error;
    const reason = error.message.startsWith('not JSON') ? (raw.is_ended ? 'not_json' : 'torn') : 'refused';
    return refuse(raw, reason, error.message);
  }
}

/** The line with why it was not taken. */
export function refuse(raw: RawLine, reason: RejectReason, message: string): { raw: RawLine; rejected: RejectedLine } {
  const { line, offset, is_whole } = raw;
  // A copy: a view would keep the whole piece of the file that it was cut from.
  return { raw, rejected: { line, offset, reason, message, bytes: Uint8Array.from(raw.bytes), is_whole } };
}

function reasonOf(bad: string, { is_ended }: RawLine): RejectReason {
  if (!is_ended) return 'torn';
  if (bad.includes('UTF-8')) return 'not_utf8';
  return bad.includes('checksum') ? 'checksum' : 'torn';
}

/** @throws DlqError from readCapture. */
export function proposalOf(identity: string, line: number, capture: string): Proposal {
  const via = 'spool';
  const derived = () => readCapture(capture, { via, capture_id: lineId(identity, line, capture) });
  if (!capture.includes('"capture_id"')) return derived();
  const proposal = readCapture(capture, { via });
  // Clients write it first. Else the word can also stand within params, and a text that was read is asked for its members.
  if (capture.startsWith('{"capture_id":')) return proposal;
  return rawMember(capture, 'capture_id') === undefined ? derived() : proposal;
}

/** A file as it was written once: another that comes under the same name is another. */
export const fileIdentity = ({ spool_file_id, edition }: { spool_file_id: string; edition: string }): string =>
  `${spool_file_id}\n${edition}`;

/**
 * The id of a capture that brought none. One that says its `failed_at` is the same failure wherever the text lies. Any other
 * is this line of this file: an equal line of another file, or of this one written anew, is a failure of its own.
 */
function lineId(identity: string, line: number, capture: string): string {
  const failed_at = capture.includes('"failed_at"') ? rawMember(capture, 'failed_at') : undefined;
  const is_dated = failed_at !== undefined && failed_at !== 'null';
  return derivedCaptureId(...(is_dated ? [] : [identity, String(line)]), capture);
}

function blobOf(capture: string): string | null {
  if (!capture.includes('"payload_ref"')) return null;
  return /"payload_ref"\s*:\s*"sha256:([0-9a-f]{64})"/.exec(capture)?.[1] ?? null;
}
