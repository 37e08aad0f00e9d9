const DIGITS = '0123456789abcdef';
const PAIRS = Array.from({ length: 256 }, (_, byte) => DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15));

/** Lower-case hex of the bytes. */
export function hexFromBytes(bytes: Uint8Array): string {
  const out: string[] = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let chunk = '';
    for (const byte of bytes.subarray(at, at + 4096)) chunk += PAIRS[byte];
    out.push(chunk);
  }
  return out.join('');
}

/** Bytes of hex text in either case, with or without a leading `\x` or `0x`; null where it is not hex. */
export function bytesFromHex(text: string): Uint8Array | null {
  const from = /^(\\x|0x)/i.test(text) ? 2 : 0;
  if ((text.length - from) % 2 !== 0) return null;
  const bytes = new Uint8Array((text.length - from) / 2);
  for (let i = 0, at = from; i < bytes.length; i++, at += 2) {
    const high = nibble(text.charCodeAt(at));
    const low = nibble(text.charCodeAt(at + 1));
    if (high < 0 || low < 0) return null;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
