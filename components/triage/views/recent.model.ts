/** A filter that was looked at in this browser: the search part of its address, and when, in ms. */
export type Recent = { search: string; at: number };

export const RECENT_KEY = 'dlo-recent-views';
export const MAX_RECENT = 10;
/** A filter that was left sooner was a step on the way to the next one. */
const PASSING_MS = 15_000;
const MAX_SEARCH = 20_000;

/** What the browser kept. Total: what is no list of such filters is none. */
export function readRecent(text: string | null): Recent[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(given) ? given.filter(isRecent).slice(0, MAX_RECENT) : [];
  } catch {
    return [];
  }
}

function isRecent(given: unknown): given is Recent {
  if (typeof given !== 'object' || given === null) return false;
  const { search, at } = given as Partial<Record<keyof Recent, unknown>>;
  return typeof search === 'string' && /^\?[!-~]+$/.test(search) && search.length <= MAX_SEARCH && Number.isFinite(at);
}

/** The filter first, each once, the newest ten; the one before gives way where it was left at once. */
export function remember(list: readonly Recent[], search: string, at: number): Recent[] {
  if (search === '' || search.length > MAX_SEARCH) return [...list];
  const [newest, ...older] = list;
  const passing =
    newest !== undefined && newest.search !== search && at - newest.at >= 0 && at - newest.at < PASSING_MS;
  const kept = (passing ? older : list).filter((each) => each.search !== search);
  return [{ search, at }, ...kept].slice(0, MAX_RECENT);
}
