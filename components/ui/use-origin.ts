'use client';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** The origin that this page came from; `seen` is the server's guess, which the first paint has. */
export function useOrigin(seen: string): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => seen,
  );
}
