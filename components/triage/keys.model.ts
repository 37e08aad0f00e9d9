/** One line of the keys dialog; `keys` in the order in which they are pressed or as alternatives. */
export type KeyLine = { keys: string[]; does: string };

/** Where the two-key commands lead. */
export const PAGE_PATHS: Partial<Record<KeyCommand, string>> = {
  go_triage: '/',
  go_operations: '/operations',
  go_intake: '/intake',
};
export const PAGE_KEYS: readonly KeyLine[] = [
  { keys: ['g', 't'], does: 'triage' },
  { keys: ['g', 'o'], does: 'operations' },
  { keys: ['g', 'i'], does: 'intake' },
];

/** The keys that every page has besides. */
export const EVERYWHERE: readonly KeyLine[] = [
  { keys: ['z'], does: 'undo, while a message offers it' },
  { keys: ['Ctrl', 'K'], does: 'all commands' },
  { keys: ['?'], does: 'these keys' },
];

export const KEY_GROUPS: readonly { title: string; lines: readonly KeyLine[] }[] = [
  {
    title: 'Entries',
    lines: [
      { keys: ['j', 'k'], does: 'next, previous' },
      { keys: ['Enter'], does: 'open' },
      { keys: ['x'], does: 'tick; with Shift a range' },
      { keys: ['a'], does: 'all matching' },
      { keys: ['t'], does: 'go to a time' },
      { keys: ['C'], does: 'copy the rows as CSV' },
      { keys: ['Esc'], does: 'one layer back' },
    ],
  },
  {
    title: 'Open entry',
    lines: [
      { keys: ['1', '…', '5'], does: 'tab' },
      { keys: ['n', 'N'], does: 'next, previous fault' },
      { keys: ['c'], does: 'next candidate' },
    ],
  },
  {
    title: 'Actions, each with a preview',
    lines: [
      { keys: ['r'], does: 'redrive' },
      { keys: ['e'], does: 'abandon' },
      { keys: ['q'], does: 'quarantine' },
    ],
  },
  {
    title: 'Page',
    lines: [
      { keys: ['/'], does: 'add a condition' },
      { keys: ['d'], does: 'draw an area; Esc ends it' },
      { keys: ['y'], does: 'copy the link' },
      { keys: ['s'], does: 'entries, signatures, by time' },
      ...PAGE_KEYS,
      ...EVERYWHERE,
    ],
  },
  {
    title: 'Map, while it has the focus',
    lines: [
      { keys: ['+', '-'], does: 'zoom' },
      { keys: ['←', '↑', '→', '↓'], does: 'pan' },
    ],
  },
];

/** What a key press asks for, after `before` (the key pressed just before, for the two-key ones). */
export type KeyCommand =
  | 'next'
  | 'previous'
  | 'open'
  | 'tick'
  | 'tick_range'
  | 'tick_all'
  | 'back'
  | 'redrive'
  | 'abandon'
  | 'quarantine'
  | 'add_condition'
  | 'draw_area'
  | 'copy_link'
  | 'copy_rows'
  | 'jump'
  | 'regroup'
  | 'undo'
  | 'go_triage'
  | 'go_operations'
  | 'go_intake'
  | 'show_keys';

const AFTER_G: Record<string, KeyCommand> = { t: 'go_triage', o: 'go_operations', i: 'go_intake' };
const LETTERS: Record<string, KeyCommand> = {
  j: 'next',
  k: 'previous',
  x: 'tick',
  X: 'tick_range',
  a: 'tick_all',
  r: 'redrive',
  e: 'abandon',
  q: 'quarantine',
  '/': 'add_condition',
  d: 'draw_area',
  y: 'copy_link',
  C: 'copy_rows',
  t: 'jump',
  s: 'regroup',
  z: 'undo',
};

/** `letters` off leaves Escape, Enter and `?`: who dictates or leans on the keyboard must not act by accident. */
export function keyCommand(key: string, before: string | null, letters: boolean): KeyCommand | null {
  if (key === 'Escape') return 'back';
  if (key === '?') return 'show_keys';
  if (key === 'Enter') return 'open';
  if (!letters) return null;
  if (before === 'g') return AFTER_G[key] ?? null;
  return LETTERS[key] ?? null;
}
