'use client';
import { useEffect, useMemo, useState } from 'react';
import { fetchGeometryBytes } from '@/lib/api/evidence';
import type { Evidence } from '@/lib/contract/entry';
import { bytesFromHex } from '@/lib/wkb/hex';
import { readInWorker } from './read-in-worker';
import { readScene } from './read-scene';
import type { Scene } from './scene.model';

/** Hex up to this length (0.5 MB of geometry) is read at once, in about 10 ms; more goes to a worker. */
const INLINE_HEX = 1_000_000;

export type SceneState =
  | { status: 'none' | 'reading' | 'unreadable'; scene: null; bytes: null }
  | { status: 'failed'; scene: null; bytes: null; error: Error; retry: () => void }
  | { status: 'ready'; scene: Scene; bytes: Uint8Array };

const without = (status: 'none' | 'reading' | 'unreadable'): SceneState => ({ status, scene: null, bytes: null });

/** The scene of the geometry as stored, from the answer itself or fetched by its address. */
export function useScene(evidence: Pick<Evidence, 'geom_wkb' | 'geom_bytes_at'> | null): SceneState {
  const hex = evidence?.geom_wkb ?? null;
  const path = evidence?.geom_bytes_at ?? null;
  const inline = useMemo<SceneState | null>(() => {
    if (hex === null) return path === null ? without('none') : null;
    if (hex.length > INLINE_HEX) return null;
    const bytes = bytesFromHex(hex);
    return bytes ? { status: 'ready', scene: readScene(bytes), bytes } : without('unreadable');
  }, [hex, path]);
  const later = inline === null;
  const [tries, setTries] = useState(0);
  const [read, setRead] = useState<{
    hex: string | null;
    path: string | null;
    tries: number;
    state: SceneState;
  } | null>(null);
  useEffect(() => {
    if (!later) return;
    const stop = new AbortController();
    const settle = (state: SceneState) => stop.signal.aborted || setRead({ hex, path, tries, state });
    fetchGeometryBytes({ geom_wkb: hex, geom_bytes_at: path }, stop.signal)
      .then(async (bytes) => {
        if (!bytes) return settle(without('unreadable'));
        settle({ status: 'ready', ...(await readInWorker(bytes as Uint8Array<ArrayBuffer>, stop.signal)) });
      })
      .catch((error: unknown) =>
        settle({
          status: 'failed',
          scene: null,
          bytes: null,
          error: error instanceof Error ? error : new Error(String(error)),
          retry: () => setTries((known) => known + 1),
        }),
      );
    return () => stop.abort();
  }, [hex, path, tries, later]);
  const own = read?.hex === hex && read.path === path && read.tries === tries ? read.state : null;
  return inline ?? own ?? without('reading');
}
