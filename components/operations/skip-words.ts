import { clockText } from '@/components/ui/time-text';
import type { Action } from '@/lib/contract/operation';

/** Why entries are left out, in words; `code` is the one part that is a name, set in mono: `text code after`. */
export type SkipWords = { text: string; code: string | null; after: string };

type Say = (detail: string | null, action: Action) => SkipWords | string;

const CANNOT = 'Cannot be rebuilt';

/** Keyed by the reason as it is stored. Several writers give one: the preview, the claim and the state machine. */
const SAY: Record<string, Say> = {
  at_cap: cap,
  over_cap: cap,
  in_flight: (detail) => `In flight, its answer is still to come${by(detail)}`,
  in_doubt: (detail) => `In doubt: the pipeline may have run it${by(detail)}`,
  quarantined: (detail, action) => `${action === 'redrive' ? 'Quarantined' : 'Already quarantined'}${by(detail)}`,
  resolved: (detail) => `Already resolved${by(detail)}`,
  open: () => 'Already open',
  in_another_operation: () => 'Waits in another operation',
  no_manifest: (detail) =>
    isName(detail)
      ? { text: `${CANNOT}: task`, code: detail, after: 'has no manifest' }
      : `${CANNOT}: its task has no manifest`,
  unknown_code_version: (detail) =>
    named(detail, /code version (\S+)$/, (code) => ({ text: `${CANNOT}: code`, code, after: 'not in the manifest' })),
  missing_param: (detail) =>
    named(detail, /^the param (.+) is missing$/, (code) => ({ text: `${CANNOT}: param`, code, after: 'missing' })),
  extra_param: (detail) =>
    named(detail, /^the param (.+) is not known to the task$/, (code) => ({
      text: `${CANNOT}: param`,
      code,
      after: 'not known to the task',
    })),
  invalid_param: (detail) =>
    named(detail, /^the param (\S+) (.+)$/, (code, after) => ({ text: `${CANNOT}: param`, code, after })),
  no_payload: (detail) =>
    detail?.includes('takes_references')
      ? `${CANNOT}: its payload goes by reference alone, which its task does not take`
      : `${CANNOT}: its payload is not in the blob store, or damaged`,
  no_target: (detail) =>
    named(
      detail,
      /^no target named (.+) is configured/,
      (code) => ({ text: 'Nowhere to send it: target', code, after: 'is not configured' }),
      'Nowhere to send it',
    ),
  unfaithful: (detail) => plain(CANNOT, detail),
  changed: changedSince,
  changed_since: changedSince,
  cancel_requested: () => 'Its abandonment was asked for already',
  not_found: () => 'No such entry',
};

/** Total: a reason without words of its own is shown as it is, with its detail. */
export function skipWords(reason: string, detail: string | null, action: Action = 'redrive'): SkipWords {
  const words = Object.hasOwn(SAY, reason) ? SAY[reason]?.(detail, action) : undefined;
  const said = words ?? plain(sentence(reason.replaceAll('_', ' ')) || 'Left out', detail);
  return typeof said === 'string' ? { text: said, code: null, after: '' } : said;
}

/** The same as one line. */
export function skipText(reason: string, detail: string | null, action: Action = 'redrive'): string {
  const { text, code, after } = skipWords(reason, detail, action);
  return [text, code, after].filter(Boolean).join(' ');
}

/** What the list of items says of a skipped one, `reason: detail`, taken apart again. */
export function splitReason(text: string): { reason: string; detail: string | null } {
  const at = text.indexOf(': ');
  return at < 0 ? { reason: text, detail: null } : { reason: text.slice(0, at), detail: text.slice(at + 2) };
}

function cap(detail: string | null): string {
  const max = /(?:cap of|of) (\d+)/.exec(detail ?? '')?.[1];
  return max ? `At the cap of ${max} redrive${max === '1' ? '' : 's'}` : 'At the cap of its redrives';
}

function changedSince(detail: string | null): string {
  return `Changed since the preview${by(detail)}`;
}

/** `by operator 2 at <ISO>` as `, by operator 2 at 14:31:50`, without the time where many are one; nothing of any other detail. */
function by(detail: string | null): string {
  const [, who, at] = /^by (.+?)(?: at (\d{4}-\S+))?$/.exec(detail ?? '') ?? [];
  if (!who) return '';
  return at ? `, by ${who} at ${Number.isNaN(Date.parse(at)) ? at : clockText(at)}` : `, by ${who}`;
}

function named(
  detail: string | null,
  pattern: RegExp,
  say: (code: string, after: string) => SkipWords,
  start = CANNOT,
): SkipWords | string {
  const [, code, after = ''] = pattern.exec(detail ?? '') ?? [];
  return code ? say(code, after) : plain(start, detail);
}

const plain = (start: string, detail: string | null): string => (detail ? `${start}: ${detail}` : start);
const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
const isName = (detail: string | null): detail is string => detail !== null && !detail.includes(' ');
