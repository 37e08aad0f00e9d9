/** One line of NDJSON: its 1-based number and text, or why it cannot be read. */
export type NdjsonLine =
  | { line: number; text: string }
  | { line: number; refused: 'too_long'; bytes: number }
  | { line: number; refused: 'not_utf8' };

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines with bounded memory: a line over the limit is dropped as it streams by and reported by its
 * number. Blank lines are counted and skipped; the last line needs no newline; CRLF and a leading BOM are taken.
 */
export async function* ndjsonLines(
  chunks: AsyncIterable<Uint8Array>,
  { max_line_bytes }: { max_line_bytes: number },
): AsyncGenerator<NdjsonLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pieces: Uint8Array[] = [];
  let length = 0;
  let line = 1;
  const take = (): NdjsonLine | null => {
    const held = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    const bytes = length;
    pieces = [];
    length = 0;
    if (bytes > max_line_bytes) return { line, refused: 'too_long', bytes };
    try {
      const text = decoder.decode(held).trim();
      return text === '' ? null : { line, text };
    } catch {
      return { line, refused: 'not_utf8' };
    }
  };
  const add = (piece: Uint8Array) => {
    length += piece.byteLength;
    if (length <= max_line_bytes) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      const taken = take();
      if (taken) yield taken;
      line += 1;
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }
  const last = take();
  if (last) yield last;
}
