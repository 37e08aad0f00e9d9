import { createHash } from 'node:crypto';
import { storableText } from '@/lib/ingest/storable-text';

/** Why a line was not taken; `refused` and `unprocessable` are the contract's and the database's words on a whole line. */
export const REJECT_REASONS = [
  'torn',
  'checksum',
  'not_utf8',
  'too_long',
  'not_json',
  'refused',
  'unprocessable',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** A line that cannot be taken, with its evidence. */
export interface RejectedLine {
  /** From 1. */
  line: number;
  /** Where the line begins in its file. */
  offset: number;
  reason: RejectReason;
  message: string;
  /** The line's bytes; its first ones where it was too long to be held. */
  bytes: Uint8Array;
  /** False where `bytes` are not all of it. */
  is_whole: boolean;
}

/** The row holds at most this much of a line. */
const HEAD_BYTES = 4_096;

export function rejectedRow({ line, offset, reason, message, bytes, is_whole }: RejectedLine) {
  // A cut within a character leaves U+FFFD at the end, which only a text that is not whole can have.
  const { text: head, is_exact } = textOf(bytes.subarray(0, HEAD_BYTES));
  return {
    line,
    byte_offset: offset,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    reason,
    message: storableText(message).slice(0, 2_000),
    head: storableText(head),
    is_whole: is_whole && bytes.length <= HEAD_BYTES && is_exact && !head.includes('\0'),
  };
}

/** The text that bytes are, as far as they are one; `is_exact` where it says every byte. */
function textOf(bytes: Uint8Array): { text: string; is_exact: boolean } {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { text, is_exact: Buffer.from(text, 'utf8').equals(bytes) };
}

/** One line of a side file. Bytes that are no text are kept as base64 beside what can be read of them. */
export function sideFileLine(file: string, { line, reason, message, bytes, is_whole }: RejectedLine): string {
  const { text, is_exact } = textOf(bytes);
  const base64 = !is_exact ? { base64: Buffer.from(bytes).toString('base64') } : {};
  const cut = is_whole ? {} : { is_whole };
  return `${JSON.stringify({ file, line, reason: `${reason}: ${message}`, text, ...base64, ...cut })}\n`;
}
