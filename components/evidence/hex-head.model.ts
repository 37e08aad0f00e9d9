export type HexRow = { offset: number; bytes: { hex: string; at_error: boolean }[]; text: string };

const ROW_BYTES = 16;
const MOST_ROWS = 8;

/**
 * The head of the bytes in rows of 16, the byte at `error_offset` marked. Where the error lies further in, the first
 * two rows are followed by the rows around it; `gap` tells how many bytes lie between, null where none do.
 */
export function hexHead(
  hex: string,
  error_offset: number | null,
): { rows: HexRow[]; gap: number | null; byte_length: number } {
  const digits = hex.replace(/^(\\x|0x)/i, '');
  const byte_length = Math.floor(digits.length / 2);
  const total = Math.ceil(byte_length / ROW_BYTES);
  const errorRow =
    error_offset === null ? 0 : Math.floor(Math.min(error_offset, Math.max(byte_length - 1, 0)) / ROW_BYTES);
  const from = errorRow < MOST_ROWS ? 2 : Math.max(2, errorRow - 2);
  const wanted = [0, 1, ...Array.from({ length: MOST_ROWS - 2 }, (_, i) => from + i)].filter((row) => row < total);
  const rows = wanted.map((row): HexRow => {
    const offset = row * ROW_BYTES;
    const cells = Array.from({ length: Math.min(ROW_BYTES, byte_length - offset) }, (_, i) => ({
      hex: digits.slice((offset + i) * 2, (offset + i) * 2 + 2).toLowerCase(),
      at_error: offset + i === error_offset,
    }));
    return { offset, bytes: cells, text: cells.map((cell) => printable(Number.parseInt(cell.hex, 16))).join('') };
  });
  return { rows, gap: from > 2 ? (from - 2) * ROW_BYTES : null, byte_length };
}

const printable = (byte: number) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·');
