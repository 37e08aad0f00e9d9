'use client';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { DISPLAY_KEY } from './display-script';

export const THEMES = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof THEMES)[number];
export const DENSITIES = ['compact', 'default', 'roomy'] as const;
export type Density = (typeof DENSITIES)[number];
/** Height of a row in px, the same numbers as `--row` in tokens.css. */
export const ROW_HEIGHTS: Record<Density, number> = { compact: 24, default: 28, roomy: 36 };

/** How this person looks at the page: theme, density, dragged widths, single-letter keys. */
export type Display = {
  theme: ThemeChoice;
  density: Density;
  /** px by custom property without its dashes, `map-share` in fr. */
  sizes: Record<string, number>;
  letter_keys: boolean;
  /** Whether the map's legend is unfolded; null until somebody chose: then where it has room. */
  legend: boolean | null;
};
const START: Display = { theme: 'system', density: 'default', sizes: {}, letter_keys: true, legend: null };

type Value = Display & { drawn: 'light' | 'dark'; change: (part: Partial<Display>) => void };
const DisplayContext = createContext<Value>({ ...START, drawn: 'light', change: () => {} });

export function useDisplay(): Value {
  return useContext(DisplayContext);
}

function stored(): Display {
  try {
    return { ...START, ...(JSON.parse(localStorage.getItem(DISPLAY_KEY) ?? '{}') as Partial<Display>) };
  } catch {
    return START;
  }
}

function apply({ theme, density, sizes }: Display): void {
  const { dataset, style } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  if (density === 'default') delete dataset.density;
  else dataset.density = density;
  for (const [name, size] of Object.entries(sizes))
    style.setProperty(`--${name}`, `${size}${name === 'map-share' ? 'fr' : 'px'}`);
}

export function DisplayProvider({ children }: { children: ReactNode }) {
  const [display, setDisplay] = useState(START);
  const [systemDark, setSystemDark] = useState(false);
  useEffect(() => {
    setDisplay(stored());
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    const read = () => setSystemDark(query.matches);
    read();
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  const change = useCallback((part: Partial<Display>) => {
    setDisplay((before) => {
      const next = { ...before, ...part, sizes: { ...before.sizes, ...part.sizes } };
      apply(next);
      try {
        localStorage.setItem(DISPLAY_KEY, JSON.stringify(next));
      } catch {
        // a browser without storage: the choice lasts as long as the page
      }
      return next;
    });
  }, []);
  const value = useMemo<Value>(
    () => ({ ...display, drawn: display.theme === 'system' ? (systemDark ? 'dark' : 'light') : display.theme, change }),
    [display, systemDark, change],
  );
  return <DisplayContext value={value}>{children}</DisplayContext>;
}
