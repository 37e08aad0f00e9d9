import { createHash } from 'node:crypto';

/**
 * One capture as a line of a spool file: `{"sha256":"<64 hex>","capture":<text>}`, where the hash is that of the UTF-8
 * bytes of the text. The parts have fixed lengths, so the text is cut out as it was written and never made anew.
 */
const BEFORE_HASH = '{"sha256":"';
const AFTER_HASH = '","capture":';
const TEXT_AT = BEFORE_HASH.length + 64 + AFTER_HASH.length;
const PREFIX = /^\{"sha256":"[0-9a-f]{64}","capture":$/;
const CLOSING_BRACE = 0x7d;

/** A line as it was read. `sha256` is null where the line is a plain capture, as hand-made files have it. */
export type SpoolLine = { capture: string; sha256: string | null } | { bad: string };

/**
 * The bytes of one line, its line break included. A line break inside the text can only be white space between JSON's
 * tokens and becomes a space.
 */
export function spoolLine(capture: string): Buffer {
  const text = Buffer.from(capture.replace(/[\r\n]/g, ' '), 'utf8');
  return Buffer.concat([Buffer.from(`${BEFORE_HASH}${sha256Of(text)}${AFTER_HASH}`), text, Buffer.from('}\n')]);
}

/** Reads a line without its line break. Total: what cannot be taken is `bad`, with the reason. */
export function readSpoolLine(line: Uint8Array): SpoolLine {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  if (!PREFIX.test(bytes.toString('latin1', 0, TEXT_AT))) return decoded(bytes, null);
  if (bytes.length <= TEXT_AT || bytes.at(-1) !== CLOSING_BRACE) return { bad: 'the line is cut off' };
  const text = bytes.subarray(TEXT_AT, -1);
  const sha256 = bytes.toString('latin1', BEFORE_HASH.length, BEFORE_HASH.length + 64);
  if (sha256Of(text) !== sha256) return { bad: 'the checksum does not match: the line is cut off or was changed' };
  return decoded(text, sha256);
}

function decoded(bytes: Uint8Array, sha256: string | null): SpoolLine {
  try {
    return { capture: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), sha256 };
  } catch {
    return { bad: 'the line is not UTF-8' };
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
