'use client';
import { useEffect, useState } from 'react';
import type { Preview } from '@/lib/contract/operation';

/** Whether the preview has outlived its hour. Counted from its arrival: the browser's clock may differ from the server's. */
export function useExpiry(preview: Preview | undefined): boolean {
  const [expired, setExpired] = useState<string | null>(null);
  useEffect(() => {
    if (!preview) return;
    const lives_ms = new Date(preview.expires_at).getTime() - new Date(preview.frozen_at).getTime();
    const timer = setTimeout(() => setExpired(preview.preview_id), lives_ms);
    return () => clearTimeout(timer);
  }, [preview]);
  return preview !== undefined && expired === preview.preview_id;
}
