import './hex-head.css';
import { useMemo } from 'react';
import type { ReadError } from '@/lib/wkb/reading';
import { hexHead } from './hex-head.model';

/** Bytes that cannot be read: their head in hex, the byte at which the reader stopped marked. */
export function HexHead({
  bytes,
  error,
  below = false,
}: {
  bytes: Uint8Array;
  error: ReadError;
  /** In the column, not in a pane. */
  below?: boolean;
}) {
  const { rows, gap, byte_length } = useMemo(() => hexHead(bytes, error.offset), [bytes, error.offset]);
  return (
    <section
      className={below ? 'hex below' : 'hex'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={`${byte_length} bytes, unreadable at byte ${error.offset}: ${error.message}`}
    >
      <p>
        <b className="strong">Unreadable at byte {error.offset}</b> <span className="dim">{error.message}</span>
      </p>
      <div className="mono" aria-hidden>
        {rows.map(({ offset, bytes: cells, text }, i) => (
          <div key={offset} className={gap !== null && i === 2 ? 'after-gap' : ''}>
            <span className="faint">{offset.toString(16).padStart(4, '0')}</span>
            <span>
              {cells.map((byte, b) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a byte is its place
                <span key={b} className={byte.at_error ? 'at-error' : ''}>
                  {byte.hex}
                </span>
              ))}
            </span>
            <span className="faint">{text}</span>
          </div>
        ))}
      </div>
    </section>
  );
}
