export type HexRow = { offset: number; bytes: { hex: string; at_error: boolean }[]; text: string };

const ROW_BYTES = 16;
const MOST_ROWS = 8;

/**
 * The head of the bytes in rows of 16, the byte at `error_offset` marked. Where the error lies further in, the first
 * two rows are followed by the rows around it; `gap` tells how many bytes lie between, null where none do.
 */
export function hexHead(
  bytes: Uint8Array,
  error_offset: number | null,
): { rows: HexRow[]; gap: number | null; byte_length: number } {
  const byte_length = bytes.length;
  const total = Math.ceil(byte_length / ROW_BYTES);
  const errorRow =
    error_offset === null ? 0 : Math.floor(Math.min(error_offset, Math.max(byte_length - 1, 0)) / ROW_BYTES);
  const from = errorRow < MOST_ROWS ? 2 : Math.max(2, errorRow - 2);
  const wanted = [0, 1, ...Array.from({ length: MOST_ROWS - 2 }, (_, i) => from + i)].filter((row) => row < total);
  const rows = wanted.map((row): HexRow => {
    const offset = row * ROW_BYTES;
    const own = bytes.subarray(offset, offset + ROW_BYTES);
    const cells = Array.from(own, (byte, i) => ({
      hex: byte.toString(16).padStart(2, '0'),
      at_error: offset + i === error_offset,
    }));
    return { offset, bytes: cells, text: Array.from(own, printable).join('') };
  });
  return { rows, gap: from > 2 ? (from - 2) * ROW_BYTES : null, byte_length };
}

const printable = (byte: number) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·');
