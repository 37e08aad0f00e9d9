/** A coordinate exactly: the shortest text that reads back as the same double. */
export function exactCoordinate(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * A coordinate for a narrow column: at most `most` characters, ungrouped, cut to fewer decimals but never to fewer
 * digits before the point. The exact one belongs in the title.
 */
export function coordinateText(value: number, most = 12): string {
  const exact = exactCoordinate(value);
  if (exact.length <= most || !Number.isFinite(value)) return exact;
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return value.toExponential(Math.max(0, most - 8));
  const whole = Math.trunc(size).toString().length + (value < 0 ? 1 : 0);
  return value.toFixed(Math.max(0, Math.min(9, most - whole - 1)));
}

/** `473 bytes`, `16.0 kB`, `15.3 MB`, `1.2 GB`. */
export function bytesText(bytes: number): string {
  if (bytes < 10_000) return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en-US')} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
