const EVENT = 'dlo-draw-area';

/** The page's key asks; the map, once it is there, listens. */
export function requestDrawing(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function onDrawingRequest(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
