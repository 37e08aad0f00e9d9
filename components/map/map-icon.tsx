const PATHS = {
  plus: 'M12 5.5v13M5.5 12h13',
  minus: 'M5.5 12h13',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  view: 'M4 8V6a2 2 0 0 1 2-2h2M16 4h2a2 2 0 0 1 2 2v2M20 16v2a2 2 0 0 1-2 2h-2M8 20H6a2 2 0 0 1-2-2v-2',
  lasso:
    'M12 4.5c5 0 9 2.5 9 6s-4 6-9 6a14 14 0 0 1-3-.3C5.5 15.5 3 13.3 3 10.5c0-3.5 4-6 9-6zM9 16.2a2 2 0 1 1-3.6 1.5A2 2 0 0 1 9 16.2zc.3 1.6-.2 3.2-1.8 4.3',
  layers: 'M12 3.5 3.5 8 12 12.5 20.5 8zM3.5 12 12 16.5 20.5 12M3.5 16 12 20.5 20.5 16',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.2v.2',
} as const;

/** A 24-unit line icon in the current colour; its button carries the word. */
export function MapIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
