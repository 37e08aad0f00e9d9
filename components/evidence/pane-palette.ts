const TOKENS = [
  'pane',
  'ink',
  'ink-2',
  'ink-3',
  'line',
  'fault',
  'on-fault',
  'accent',
  'surface',
  'raised',
  'control',
  'ghost',
] as const;
export type PanePalette = Record<(typeof TOKENS)[number], string> & { font: string; mono: string };

/** The design tokens as the theme resolves them now. A canvas knows no custom properties: an element resolves them. */
export function readPalette(probe: HTMLElement): PanePalette {
  const style = getComputedStyle(probe);
  const colours = TOKENS.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, style.color] as const;
  });
  probe.style.color = '';
  return {
    ...(Object.fromEntries(colours) as Record<(typeof TOKENS)[number], string>),
    font: style.getPropertyValue('--font') || 'sans-serif',
    mono: style.getPropertyValue('--mono') || 'monospace',
  };
}
