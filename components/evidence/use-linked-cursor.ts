'use client';
import { useEffect, useState } from 'react';
import type { Evidence } from '@/lib/contract/entry';
import { LinkedCursor } from './linked-cursor';

/** What links the panes, and how that is said. */
export type CursorLinkState = { cursor: LinkedCursor; linked: boolean; words: string; title: string };

/** The link between the panes of one entry, through proj4 only where the server checked it for this entry. */
export function useLinkedCursor({ cursor_link, cursor_link_reason }: Evidence): CursorLinkState {
  const [cursor] = useState(() => new LinkedCursor());
  const [loaded, setLoaded] = useState<{ proj: string; problem: string | null } | null>(null);
  const proj = cursor_link?.proj ?? null;
  useEffect(() => {
    cursor.transform = null;
    if (proj === null) return;
    let here = true;
    const settle = (problem: string | null) => here && setLoaded({ proj, problem });
    import('@/lib/crs/cursor-link')
      .then(({ makeCursorTransform }) => makeCursorTransform(proj))
      .then(
        (transform) => {
          if (here) cursor.transform = transform;
          settle(null);
        },
        (error: unknown) => settle(error instanceof Error ? error.message : String(error)),
      );
    return () => {
      here = false;
      cursor.transform = null;
    };
  }, [cursor, proj]);
  const own = loaded?.proj === proj ? loaded : null;
  const linked = cursor_link !== null && own !== null && own.problem === null;
  if (cursor_link === null || own?.problem) {
    const words = `Cursor link off: ${own?.problem ?? cursor_link_reason ?? 'no transform was checked for this entry'}`;
    return { cursor, linked, words, title: words };
  }
  return {
    cursor,
    linked,
    words: `cursors linked, checked to ${errorText(cursor_link.max_error_m)}`,
    title: `A place in one pane is shown in the other, by proj4: on ${cursor_link.checked} of this entry's own vertices it was at most ${errorText(cursor_link.max_error_m)} from the database's PROJ.`,
  };
}

/** `0.4 mm`, `3 cm`, `1.2 m`. */
export function errorText(metres: number): string {
  if (metres < 0.00005) return '0.1 mm';
  if (metres < 0.01) return `${(metres * 1000).toFixed(1)} mm`;
  return metres < 1 ? `${Math.round(metres * 100)} cm` : `${metres.toFixed(1)} m`;
}
