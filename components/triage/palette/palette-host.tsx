'use client';
import dynamic from 'next/dynamic';
import { useCallback, useEffect, useRef, useState } from 'react';
import { onPaletteRequest } from '@/components/ui/palette-request';

const Palette = dynamic(() => import('./palette'), { ssr: false });

/** On every page: Ctrl K or ⌘ K opens the commands, also out of a field. Their code comes when they are first asked for. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  if (open && !asked) setAsked(true);
  const typed = useHeldKeys(open, () => setOpen(false));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const is_chord = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
      if (!is_chord || event.key.toLowerCase() !== 'k') return;
      // the browser's own meaning of it, its search field, goes in any case
      event.preventDefault();
      // another dialog has the keys as long as it is open
      const other = document.querySelector('.dialog:not(.palette)');
      if (!event.repeat && !other) setOpen((before) => !before);
    };
    window.addEventListener('keydown', onKeyDown);
    const stop = onPaletteRequest(() => setOpen(true));
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      stop();
    };
  }, []);
  return asked ? <Palette open={open} typed={typed} onClose={() => setOpen(false)} /> : null;
}

/**
 * Holds what is typed until the palette's code is there: else its letters would be taken for the page's keys, which act.
 * The answer hands over the text, once, and lets go of the keys.
 */
function useHeldKeys(open: boolean, onEscape: () => void): () => string {
  const text = useRef('');
  const there = useRef(false);
  const leave = useRef(onEscape);
  leave.current = onEscape;
  useEffect(() => {
    if (!open) return;
    const hold = (event: KeyboardEvent) => {
      if (there.current || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') leave.current();
      else if (event.key.length === 1) text.current += event.key;
    };
    window.addEventListener('keydown', hold, true);
    return () => {
      window.removeEventListener('keydown', hold, true);
      text.current = '';
      there.current = false;
    };
  }, [open]);
  return useCallback(() => {
    there.current = true;
    return text.current;
  }, []);
}
