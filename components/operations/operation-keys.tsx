'use client';
import { useEffect, useRef } from 'react';
import { PageKeys } from '@/components/triage/page-keys';
import { useDisplay } from '@/components/ui/display';

/** The keys of the pages of operations; `onPause` is null where nothing can be paused or resumed. */
export function OperationKeys({ onPause = null }: { onPause?: (() => void) | null }) {
  const { letter_keys } = useDisplay();
  const pause = useRef(onPause);
  useEffect(() => {
    pause.current = onPause;
  });
  useEffect(() => {
    if (!letter_keys) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'p' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat)
        return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input, textarea, select, [role="dialog"]')) return;
      pause.current?.();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letter_keys]);
  return (
    <PageKeys own={onPause ? [{ title: 'This operation', lines: [{ keys: ['p'], does: 'pause, resume' }] }] : []} />
  );
}
