const EVENT = 'dlo-show-keys';

/** The button in the app bar asks; the dialog that knows the page's keys listens. */
export function openKeysDialog(): void {
  window.dispatchEvent(new Event(EVENT));
}

export function onKeysDialogRequest(listener: () => void): () => void {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
