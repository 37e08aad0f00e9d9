'use client';
import { useEffect, useRef } from 'react';

/** `1` to `5` choose a tab, `n` and `N` the next and the previous fault, unless a field, menu or dialog has the keys. */
export function useInspectorKeys(letters: boolean, handle: (key: string) => boolean): void {
  const handler = useRef(handle);
  useEffect(() => {
    handler.current = handle;
  });
  useEffect(() => {
    if (!letters) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('[role="dialog"], [role="menu"], input:not([type="checkbox"]), textarea, select')) return;
      if (handler.current(event.key)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letters]);
}
