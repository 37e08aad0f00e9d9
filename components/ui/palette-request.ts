const EVENT = 'dlo-show-palette';

/** The button in the app bar asks; the palette's host listens. */
export function openPalette(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function onPaletteRequest(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
