/** One thing that the palette can do. `id` stays the same from visit to visit, so that it can be found again. */
export type Command = {
  id: string;
  group: string;
  title: string;
  /** Found by these words too, and shown faintly. */
  detail?: string;
  keys?: readonly string[];
  /** Of entries, as it is shown: `50,000+` where it is a lower bound. */
  count?: string;
  run: () => void;
};

export const RECENT_COMMANDS_KEY = 'dlo-recent-commands';
const MAX_RECENT = 8;
/** More answers would not be read. */
export const MAX_SHOWN = 60;
/** The group of what was run lately, first while nothing is typed. */
export const LATELY = 'Lately';

/**
 * How well `text` answers to one word, or null: best the whole word at a word's beginning, then anywhere, then its letters
 * in order, from a word's beginning on.
 */
function wordScore(word: string, text: string): number | null {
  const at = text.indexOf(word);
  if (at >= 0) {
    for (let from = at; from >= 0; from = text.indexOf(word, from + 1))
      if (isStart(text, from)) return 3 + 1 / (1 + from);
    return 2 + 1 / (1 + at);
  }
  for (let from = text.indexOf(word[0]!); from >= 0; from = text.indexOf(word[0]!, from + 1)) {
    if (!isStart(text, from)) continue;
    const span = lettersFrom(word, text, from);
    // letters strewn over the whole text are no answer
    if (span !== null && span <= word.length * 3) return word.length / span;
  }
  return null;
}

const isStart = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);

/** Over how many characters the letters of the word stretch from `from` on, or null where one is missing. */
function lettersFrom(word: string, text: string, from: number): number | null {
  let at = from - 1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return null;
  }
  return at - from + 1;
}

/** The sum over the words of `query`, each of which has to be found; null where one is not. */
export function score(query: string, text: string): number | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const own = wordScore(word, whole);
    if (own === null) return null;
    sum += own;
  }
  return sum;
}

/** The commands that answer, best first; those of lately before equals. With nothing typed all, what was run lately first. */
export function findCommands(commands: readonly Command[], query: string, lately: readonly string[]): Command[] {
  if (query.trim() === '') {
    const again = lately.flatMap((id) => commands.filter((each) => each.id === id));
    const others = commands.filter(({ id }) => !lately.includes(id));
    return [...again.map((each) => ({ ...each, group: LATELY })), ...others].slice(0, MAX_SHOWN);
  }
  return commands
    .map((command, place) => {
      const title = score(query, `${command.title} ${command.group}`);
      // what only the faint words have stands behind
      const found = title ?? score(query, `${command.title} ${command.group} ${command.detail ?? ''}`);
      const points =
        found === null ? null : found + (title === null ? -1 : 0) + (lately.includes(command.id) ? 0.5 : 0);
      return { command, points, place };
    })
    .filter((each): each is typeof each & { points: number } => each.points !== null)
    .sort((a, b) => b.points - a.points || a.place - b.place)
    .slice(0, MAX_SHOWN)
    .map(({ command }) => command);
}

/** The ids of what was run lately, from what the browser kept. Total. */
export function readLately(text: string | null): string[] {
  try {
    const given: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(given)
      ? [...new Set(given.filter((id): id is string => typeof id === 'string' && id.length < 1000))].slice(
          0,
          MAX_RECENT,
        )
      : [];
  } catch {
    return [];
  }
}

export function withLately(lately: readonly string[], id: string): string[] {
  return [id, ...lately.filter((each) => each !== id)].slice(0, MAX_RECENT);
}
