/** A line's bytes without its line break. `end` is where the next line begins. */
export interface RawLine {
  /** From 1. */
  line: number;
  offset: number;
  end: number;
  /** The first bytes where `is_whole` is false: the line was over the limit. */
  bytes: Uint8Array;
  is_whole: boolean;
  /** False for a last line that no line break ends. */
  is_ended: boolean;
}

/** Where a file was read up to. */
export interface Place {
  offset: number;
  lines: number;
}

const NEWLINE = 0x0a;
const BOM = [0xef, 0xbb, 0xbf];
/** Of a line over the limit only this much is held, however its bytes come. */
export const LONG_LINE_HEAD_BYTES = 4_096;

/**
 * Splits a file's bytes from `place` on into lines, blank ones left out, memory bounded by the limit. White space around a
 * line (the CR of CRLF too) and a BOM that begins the file are no part of it. `place` moves along: it is always behind the
 * last line given, and at the end behind the file's last byte.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  place: Place,
  { max_line_bytes }: { max_line_bytes: number },
): AsyncGenerator<RawLine> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const head_bytes = Math.min(LONG_LINE_HEAD_BYTES, max_line_bytes);
  const add = (piece: Uint8Array) => {
    const over = length + piece.byteLength > max_line_bytes;
    if (!over) pieces.push(piece);
    else if (length <= max_line_bytes)
      pieces = [
        Buffer.concat([...pieces, piece])
          .subarray(0, head_bytes)
          .slice(),
      ];
    length += piece.byteLength;
  };
  const take = (is_ended: boolean): RawLine | null => {
    const is_whole = length <= max_line_bytes;
    const held = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    const { offset, lines } = place;
    const end = offset + length + (is_ended ? 1 : 0);
    const bytes = trimmed(offset === 0 ? withoutBom(held) : held);
    pieces = [];
    length = 0;
    place.offset = end;
    if (is_ended || bytes.length > 0) place.lines = lines + 1;
    return bytes.length === 0 ? null : { line: lines + 1, offset, end, bytes, is_whole, is_ended };
  };
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      add(chunk.subarray(begin, end));
      const taken = take(true);
      if (taken) yield taken;
      begin = end + 1;
    }
    if (begin < chunk.length) add(chunk.subarray(begin));
  }
  const last = take(false);
  if (last) yield last;
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;

function trimmed(bytes: Uint8Array): Uint8Array {
  let [begin, end] = [0, bytes.length];
  while (begin < end && isSpace(bytes[begin])) begin += 1;
  while (end > begin && isSpace(bytes[end - 1])) end -= 1;
  return begin === 0 && end === bytes.length ? bytes : bytes.subarray(begin, end);
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return BOM.every((byte, i) => bytes[i] === byte) ? bytes.subarray(3) : bytes;
}
