'use client';
import { useEffect, useMemo, useState } from 'react';
import { readScene } from './read-scene';
import type { Scene } from './scene.model';

/** Hex up to this length (1 MB of geometry) is read at once, in about 20 ms; more goes to a worker. */
const INLINE_HEX = 2_000_000;

export type SceneState = { status: 'none' | 'reading' | 'unreadable'; scene: null } | { status: 'ready'; scene: Scene };

const settled = (scene: Scene | null): SceneState =>
  scene ? { status: 'ready', scene } : { status: 'unreadable', scene: null };

/** The scene of a geometry's hex. */
export function useScene(hex: string | null): SceneState {
  const large = hex !== null && hex.length > INLINE_HEX;
  const inline = useMemo<SceneState | null>(() => {
    if (hex === null) return { status: 'none', scene: null };
    return large ? null : settled(readScene(hex));
  }, [hex, large]);
  const [read, setRead] = useState<{ hex: string; state: SceneState } | null>(null);
  useEffect(() => {
    if (hex === null || !large) return;
    const done = (scene: Scene | null) => setRead({ hex, state: settled(scene) });
    let late: ReturnType<typeof setTimeout> | undefined;
    // without a worker the page stands still while it is read, but it is read
    const here = () => {
      late = setTimeout(() => done(readScene(hex)), 0);
    };
    let worker: Worker | null = null;
    try {
      worker = new Worker(new URL('./read-geometry.worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<Scene | null>) => done(data);
      worker.onerror = here;
      worker.postMessage(hex);
    } catch {
      here();
    }
    return () => {
      clearTimeout(late);
      worker?.terminate();
    };
  }, [hex, large]);
  return inline ?? (read && read.hex === hex ? read.state : { status: 'reading', scene: null });
}
