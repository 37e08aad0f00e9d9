'use client';
import { useEffect, useMemo, useState } from 'react';
import { fetchReprojectedBytes } from '@/lib/api/evidence';
import type { Evidence } from '@/lib/contract/entry';
import { bytesFromHex } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import type { WkbReading } from '@/lib/wkb/reading';

/** Hex beyond this (0.5 MB, some 30,000 vertices) would hold up the page: it is drawn when asked for. */
const DRAWN_AT_ONCE = 1_000_000;

/** The reprojected geometry: read, or waiting to be asked for, since a map takes seconds for so many vertices. */
export type Reprojected =
  | { status: 'ready'; reading: WkbReading | null }
  | { status: 'large'; ask: () => void }
  | { status: 'reading' }
  | { status: 'failed'; error: Error };

const readFrom = (bytes: Uint8Array | null): Reprojected => ({
  status: 'ready',
  reading: bytes && readWkb(bytes, { max_findings: 0 }),
});

export function useReprojected({ reprojected_wkb: hex, reprojected_at: path }: Evidence): Reprojected {
  const large = path !== null || (hex?.length ?? 0) > DRAWN_AT_ONCE;
  const [asked, setAsked] = useState(false);
  const [read, setRead] = useState<{ hex: string | null; path: string | null; state: Reprojected } | null>(null);
  const small = useMemo(() => (large ? null : readFrom(hex === null ? null : bytesFromHex(hex))), [hex, large]);
  useEffect(() => {
    if (!large || !asked) return;
    const stop = new AbortController();
    const settle = (state: Reprojected) => stop.signal.aborted || setRead({ hex, path, state });
    fetchReprojectedBytes({ reprojected_wkb: hex, reprojected_at: path }, stop.signal).then(
      (bytes) => settle(readFrom(bytes)),
      (error: unknown) =>
        settle({ status: 'failed', error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => stop.abort();
  }, [hex, path, large, asked]);
  if (small) return small;
  if (!asked) return { status: 'large', ask: () => setAsked(true) };
  return read && read.hex === hex && read.path === path ? read.state : { status: 'reading' };
}
