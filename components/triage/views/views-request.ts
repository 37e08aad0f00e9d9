const EVENT = 'dlo-show-views';

/** A command asks; the menu of the filter bar opens. */
export function openViewsMenu(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function onViewsMenuRequest(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
