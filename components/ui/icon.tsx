import type { ReactElement } from 'react';

const SHAPES = {
  archive: (
    <>
      <rect width="20" height="5" x="2" y="3" rx="1" />
      <path d="M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8" />
      <path d="M10 12h4" />
    </>
  ),
  'arrow-down': (
    <>
      <path d="M12 5v14" />
      <path d="m19 12-7 7-7-7" />
    </>
  ),
  'arrow-up-right': (
    <>
      <path d="M7 7h10v10" />
      <path d="M7 17 17 7" />
    </>
  ),
  ban: (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M5.3 5.3 18.7 18.7" />
    </>
  ),
  bookmark: <path d="M18 3H6a1 1 0 0 0-1 1v17l7-5 7 5V4a1 1 0 0 0-1-1z" />,
  check: <path d="M20 6 9 17l-5-5" />,
  'chevron-down': <path d="m6 9 6 6 6-6" />,
  'chevron-right': <path d="m9 6 6 6-6 6" />,
  'chevron-up': <path d="m18 15-6-6-6 6" />,
  'circle-alert': (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M12 7.5v5" />
      <path d="M12 16h.01" />
    </>
  ),
  'circle-help': (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M9.2 9.2a2.9 2.9 0 0 1 5.6 1c0 1.9-2.8 2.4-2.8 4" />
      <path d="M12 17.4h.01" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7v5l3.5 2" />
    </>
  ),
  columns: (
    <>
      <rect width="18" height="18" x="3" y="3" rx="2" />
      <path d="M9 3v18" />
      <path d="M15 3v18" />
    </>
  ),
  copy: (
    <>
      <rect width="13" height="13" x="8.5" y="8.5" rx="2" />
      <path d="M4.5 15.5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2" />
    </>
  ),
  contrast: (
    <>
      <circle cx="12" cy="12" r="9.5" />
      <path d="M12 2.5v19a9.5 9.5 0 0 0 0-19z" fill="currentColor" />
    </>
  ),
  download: (
    <>
      <path d="M12 3v12" />
      <path d="m7 10.5 5 5 5-5" />
      <path d="M3 16v3a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-3" />
    </>
  ),
  'external-link': (
    <>
      <path d="M14.5 3H21v6.5" />
      <path d="M10 14 21 3" />
      <path d="M18 13.5V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h5.5" />
    </>
  ),
  keyboard: (
    <>
      <rect width="20" height="16" x="2" y="4" rx="2" />
      <path d="M6 8h.01M10 8h.01M14 8h.01M18 8h.01M8 12h.01M12 12h.01M16 12h.01M7 16h10" />
    </>
  ),
  link: (
    <>
      <path d="M9 17H7A5 5 0 0 1 7 7h2" />
      <path d="M15 7h2a5 5 0 1 1 0 10h-2" />
      <path d="M8 12h8" />
    </>
  ),
  filter: (
    <>
      <path d="M2 5h20" />
      <path d="M6 12h12" />
      <path d="M9 19h6" />
    </>
  ),
  lock: (
    <>
      <rect width="18" height="11" x="3" y="11" rx="2" />
      <path d="M7 11V7a5 5 0 0 1 10 0v4" />
    </>
  ),
  minus: <path d="M5 12h14" />,
  pause: (
    <>
      <rect x="14" y="4" width="4.5" height="16" rx="1" />
      <rect x="5.5" y="4" width="4.5" height="16" rx="1" />
    </>
  ),
  play: <path d="M6 4.5v15a1 1 0 0 0 1.5.9l12.5-7.5a1 1 0 0 0 0-1.8L7.5 3.6A1 1 0 0 0 6 4.5z" />,
  plus: <path d="M5 12h14M12 5v14" />,
  'rotate-ccw': (
    <>
      <path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8" />
      <path d="M3 3v5h5" />
    </>
  ),
  search: (
    <>
      <circle cx="11" cy="11" r="7.5" />
      <path d="m21 21-4.6-4.6" />
    </>
  ),
  send: (
    <>
      <path d="M21.5 2.5 14 21.5l-3.8-8.7-8.7-3.8z" />
      <path d="M21.5 2.5 10.2 12.8" />
    </>
  ),
  'trending-down': (
    <>
      <path d="M16 17h6v-6" />
      <path d="m22 17-8.5-8.5-5 5L2 7" />
    </>
  ),
  'trending-up': (
    <>
      <path d="M16 7h6v6" />
      <path d="m22 7-8.5 8.5-5-5L2 17" />
    </>
  ),
  'triangle-alert': (
    <>
      <path d="M10.3 3.8 1.9 18a2 2 0 0 0 1.7 3h16.8a2 2 0 0 0 1.7-3L13.7 3.8a2 2 0 0 0-3.4 0z" />
      <path d="M12 9v4.5M12 17h.01" />
    </>
  ),
  x: <path d="M18 6 6 18M6 6l12 12" />,
} satisfies Record<string, ReactElement>;

export type IconName = keyof typeof SHAPES;

/** A line icon in the text's colour, 16 px (14 when `small`); its meaning always stands beside it in words. */
export function Icon({ name, small = false, className = '' }: { name: IconName; small?: boolean; className?: string }) {
  return (
    <svg className={`i${small ? ' s' : ''} ${className}`.trimEnd()} viewBox="0 0 24 24" aria-hidden focusable="false">
      {SHAPES[name]}
    </svg>
  );
}
