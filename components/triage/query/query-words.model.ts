import { endOfQuote } from './quoting.model';

/** One word of a query and its place in the text. */
export type Word = { text: string; from: number; to: number };

const SPACE = /\s/;
const PARAM = /^!?params?[.:]/i;
/** What may stand alone between the path of a parameter and its value. */
const OPERATOR = /^(?:!=|<=|>=|=|<|>|≠|≤|≥)/;

/** Splits at spaces outside quotes; a parameter's list in brackets and its operator may have spaces around them. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const to = endOfWord(text, at);
    words.push({ text: text.slice(at, to), from: at, to });
    at = to;
  }
  return joinParams(words);
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !SPACE.test(text[at] ?? '')) {
    if (text[at] !== '"') {
      at += 1;
      continue;
    }
    const end = endOfQuote(text, at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** A list in brackets holds at most this many words: one that is never closed must not take the rest of the text. */
const LONGEST_LIST = 500;

/** `param.zoom > 3`, `param.mode in [a, b]` and `param.nodata exists` are one word each. */
function joinParams(words: Word[]): Word[] {
  const joined: Word[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const first = words[i] as Word;
    const more = PARAM.test(first.text) ? wordsThatBelongTo(first.text, words, i + 1) : 0;
    const all = words.slice(i, i + 1 + more);
    joined.push({
      text: all.map(({ text }) => text).join(' '),
      from: first.from,
      to: all.at(-1)?.to ?? first.to,
    });
    i += more;
  }
  return joined;
}

/** How many of the words from `at` on belong to the parameter that `first` begins. */
function wordsThatBelongTo(first: string, words: readonly Word[], at: number): number {
  let operator = outsideQuotes(first);
  let taken = 0;
  if (!/[:=<>≠≤≥]/.test(operator.replace(/^!?params?[.:]/i, ''))) {
    const next = words[at]?.text ?? '';
    if (/^exists$/i.test(next)) return 1;
    if (!/^in$/i.test(next) && !OPERATOR.test(next)) return 0;
    operator = outsideQuotes(next);
    taken = 1;
  }
  if (/(?:^in|[=<>≠≤≥])$/i.test(operator) && words[at + taken]) {
    operator += ` ${outsideQuotes(words[at + taken]?.text ?? '')}`;
    taken += 1;
  }
  if (!/(?:[=:]|^in)\s*\[[^\]]*$/i.test(operator)) return taken;
  for (let more = taken; more < LONGEST_LIST && words[at + more]; more += 1)
    if (outsideQuotes(words[at + more]?.text ?? '').includes(']')) return more + 1;
  return taken;
}

/** The word with a letter for what it quotes, whose signs mean nothing. */
const outsideQuotes = (text: string) => text.replace(/"(?:[^"]|"")*"?/g, '_');
