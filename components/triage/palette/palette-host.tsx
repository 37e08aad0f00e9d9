'use client';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { onPaletteRequest } from '@/components/ui/palette-request';

const Palette = dynamic(() => import('./palette'), { ssr: false });

/** On every page: Ctrl K or ⌘ K opens the commands, also out of a field. Their code comes when they are first asked for. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  if (open && !asked) setAsked(true);
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
  return asked ? <Palette open={open} onClose={() => setOpen(false)} /> : null;
}
