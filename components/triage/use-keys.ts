'use client';
import { useEffect, useRef } from 'react';
import { type KeyCommand, keyCommand } from './keys.model';

const CHORD_MS = 1200;

/**
 * Listens for the page's keys while no field, menu or dialog has them. The handler says whether it did something; only
 * then is the browser's own meaning of the key taken away.
 */
export function useKeys(letters: boolean, handle: (command: KeyCommand) => boolean): void {
  const handler = useRef(handle);
  useEffect(() => {
    handler.current = handle;
  });
  useEffect(() => {
    let before: { key: string; at: number } | null = null;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('[role="dialog"], [role="menu"]')) return;
      const typing = target?.closest(
        'input:not([type="checkbox"]):not([type="range"]), textarea, select, [contenteditable]',
      );
      if (typing && event.key !== 'Escape') return;
      // what has the focus is pressed by Enter
      if (event.key === 'Enter' && target?.closest('a, button, input, summary, [tabindex]')) return;
      const chord = before && event.timeStamp - before.at < CHORD_MS ? before.key : null;
      before = { key: event.key, at: event.timeStamp };
      const command = keyCommand(event.key, chord, letters);
      if (command && handler.current(command)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [letters]);
}
