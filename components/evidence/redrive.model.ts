import type { Entry } from '@/lib/contract/entry';
import { readJson, stringEnd } from './json-view.model';

export type EntryAction = 'redrive' | 'abandon' | 'quarantine' | 'reopen';

const REASONS: Record<string, string> = {
  no_manifest: 'The task has registered no manifest, so nothing says what it can rebuild.',
  unknown_code_version: 'The task does not know this code version any more.',
  missing_param: 'Cannot be rebuilt: a param is missing.',
  extra_param: 'Cannot be rebuilt: a param is not one of the task.',
  invalid_param: 'Cannot be rebuilt: a param has a value that the task does not take.',
  no_payload: 'The payload is not here, so there is nothing to send.',
  no_target: 'The task has no target to send to.',
};

/** Can it be redriven, in words. */
export function faithfulnessWords({ faithful, reason, detail }: Entry['faithfulness']): {
  strong: string;
  rest: string;
} {
  if (faithful && detail)
    return {
      strong: 'Can be redriven with an edited payload.',
      rest: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}. The target is told.`,
    };
  if (faithful) return { strong: 'Can be rebuilt faithfully.', rest: '' };
  return {
    strong: REASONS[reason ?? ''] ?? `Cannot be rebuilt: ${(reason ?? 'no reason was given').replaceAll('_', ' ')}.`,
    rest: detail ?? '',
  };
}

type Standing = Pick<Entry, 'state' | 'redrive_attempts' | 'max_redrives' | 'faithfulness'>;

/** Why an action does nothing now, or null where it can be taken; the preview decides again on what is frozen. */
export function actionRefusal(action: EntryAction, entry: Standing): string | null {
  const inFlight = entry.state === 'redriving' || entry.state === 'redriven';
  switch (action) {
    case 'redrive':
      if (entry.state !== 'open')
        return `It is ${entry.state.replaceAll('_', ' ')}; only an open entry can be redriven`;
      if (entry.redrive_attempts >= entry.max_redrives) return `At the cap of ${entry.max_redrives} redrives`;
      return entry.faithfulness.faithful ? null : faithfulnessWords(entry.faithfulness).strong;
    case 'abandon':
      return entry.state === 'resolved' ? 'It is resolved' : null;
    case 'quarantine':
      if (entry.state === 'open') return null;
      return inFlight ? 'A redrive is under way' : `It is ${entry.state.replaceAll('_', ' ')}`;
    case 'reopen':
      if (entry.state === 'open') return 'It is open';
      return inFlight ? 'A redrive is under way' : null;
  }
}

/** The body with line breaks and indents between its tokens, none of which is changed; text that is no JSON as it is. */
export function bodyLines(body: string): string {
  if (readJson(body) === null) return body;
  let out = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const token of tokensOf(body)) {
    if (token === '{' || token === '[') {
      depth++;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      out = /[{[]\s*$/.test(out) ? out.trimEnd() + token : out + line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}

/** Strings, marks and other words of JSON text, without the space between them. */
function* tokensOf(text: string): Generator<string> {
  const next = /\s*(?:("|[{}[\],:])|([^\s"{}[\],:]+))/y;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const [, mark, word = ''] = found;
    if (mark === '"') {
      const from = next.lastIndex - 1;
      next.lastIndex = stringEnd(text, from);
      yield text.slice(from, next.lastIndex);
    } else yield mark ?? word;
  }
}
