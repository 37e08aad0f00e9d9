'use client';
import type { Remote, Spot } from './suggest.model';

const NOTHING: Remote = {};

/** What the server knows of the spot, while completions are shown. */
export function useRemote(_spot: Spot, _open: boolean): Remote {
  return NOTHING;
}
