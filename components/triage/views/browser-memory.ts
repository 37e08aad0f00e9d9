import { RECENT_KEY, type Recent, readRecent, remember } from './recent.model';

const DEFAULT_KEY = 'dlo-default-view';

/** What this browser keeps of views; a browser without storage keeps nothing, and says nothing. */
export function recentViews(): Recent[] {
  return readRecent(read(RECENT_KEY));
}

export function rememberView(search: string, at: number): void {
  write(RECENT_KEY, JSON.stringify(remember(recentViews(), search, at)));
}

/** Id of the view that the page opens with in this browser. */
export function defaultViewId(): string | null {
  const id = read(DEFAULT_KEY);
  return id !== null && /^\d{1,18}$/.test(id) ? id : null;
}

export function setDefaultView(id: string | null): void {
  write(DEFAULT_KEY, id);
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // it lasts as long as the page
  }
}
