import { countedText, countText } from '@/components/ui/number-text';
import { type Action, CONFIRM_OVER, type PreviewRequest, type StartRequest } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import { durationText } from './duration-text';

/** The fields as they were typed. */
export type PreviewForm = { reason: string; rate: string; with_canary: boolean; canary: string; confirm: string };
export type PreviewField = 'rate' | 'canary' | 'reason' | 'confirm';

export const DEFAULT_RATE_PER_S = 20;
const MAX_RATE_PER_S = 1000;
const MAX_CANARY = 10_000;
const MAX_REASON = 2000;
/** A canary of a handful tells nothing that the whole set would not tell as soon. */
const CANARY_OVER = 20;

/** A tenth, between 5 and 50; none for sets so small that the whole set is one. */
export function defaultCanary(eligible: number): number {
  return eligible <= CANARY_OVER ? 0 : Math.min(50, Math.max(5, Math.ceil(eligible / 10)));
}

export function startForm(eligible: number): PreviewForm {
  const canary = defaultCanary(eligible);
  return {
    reason: '',
    rate: String(DEFAULT_RATE_PER_S),
    with_canary: canary > 0,
    canary: canary > 0 ? String(canary) : '',
    confirm: '',
  };
}

/** `Redrive 3,155 entries?`, `Abandon this entry?`. */
export function previewTitle(action: Action, count: number, isOneEntry: boolean): string {
  const { verb } = ACTION_WORDS[action];
  return isOneEntry ? `${verb} this entry?` : `${verb} ${countedText(count, 'entry', 'entries')}?`;
}

/** A whole number as people write it, with or without separators of thousands; null for anything else. */
export function readCount(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[,.'’ \u00a0\u202f](?=\d{3}(?!\d))/g, '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null;
}

/** What is wrong with the count typed back, or null. Numbers are shown as they are typed, without separators. */
export function countProblem(text: string, eligible: number): string | null {
  if (text.trim() === '') return `type ${eligible}`;
  return readCount(text) === eligible ? null : `${text.trim()} is not ${eligible}`;
}

/** Entries a second, also fractions (`0.5`); null outside what the server takes. */
export function readRate(text: string): number | null {
  if (!/^\d{1,4}([.,]\d{1,3})?$/.test(text.trim())) return null;
  const rate = Number(text.trim().replace(',', '.'));
  return rate > 0 && rate <= MAX_RATE_PER_S ? rate : null;
}

/** How many go first: 0 without a canary, null where what was typed is none. It has to leave a rest. */
export function readCanary(form: PreviewForm, eligible: number): number | null {
  if (!form.with_canary) return 0;
  const canary = readCount(form.canary);
  return canary !== null && canary >= 1 && canary < eligible && canary <= MAX_CANARY ? canary : null;
}

export function timeForAll(eligible: number, rate: number): string {
  return durationText(eligible / rate);
}

/** What keeps the form from being sent, by field. */
export function problemsOf(
  form: PreviewForm,
  { action, eligible }: { action: Action; eligible: number },
): Partial<Record<PreviewField, string>> {
  const problems: Partial<Record<PreviewField, string>> = {};
  if (action === 'redrive') {
    if (readRate(form.rate) === null) problems.rate = `a number up to ${countText(MAX_RATE_PER_S)}`;
    if (readCanary(form, eligible) === null)
      problems.canary = `a whole number from 1 to ${countText(Math.min(eligible - 1, MAX_CANARY))}`;
  }
  const reason = form.reason.trim();
  if (reason === '') problems.reason = 'say why; it stands in the history of each entry';
  if (reason.length > MAX_REASON) problems.reason = `at most ${countText(MAX_REASON)} characters`;
  const count = eligible > CONFIRM_OVER ? countProblem(form.confirm, eligible) : null;
  if (count) problems.confirm = count;
  return problems;
}

/** The button names the first effect: `Start with 50`, `Redrive 12`. */
export function startLabel(action: Action, eligible: number, canary: number | null): string {
  return action === 'redrive' && canary
    ? `Start with ${countText(canary)}`
    : `${ACTION_WORDS[action].verb}${eligible === 1 ? '' : ` ${countText(eligible)}`}`;
}

/** Of a form without problems. */
export function startRequest(
  form: PreviewForm,
  { action, eligible, preview_id }: { action: Action; eligible: number; preview_id: string },
): StartRequest {
  return {
    preview_id,
    reason: form.reason.trim(),
    ...(action === 'redrive'
      ? { rate_per_s: readRate(form.rate) ?? DEFAULT_RATE_PER_S, canary: readCanary(form, eligible) ?? 0 }
      : {}),
    ...(eligible > CONFIRM_OVER ? { confirm: readCount(form.confirm) ?? eligible } : {}),
  };
}

/** Whether a filter names nothing: then nobody said “all”. */
export function hasNoCondition({ filter, ids }: Pick<PreviewRequest, 'filter' | 'ids'>): boolean {
  return (
    ids === undefined &&
    Object.values(filter ?? {}).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))
  );
}
