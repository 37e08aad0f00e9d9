import type { Filter } from '@/lib/contract/filter';
import { type ParamCondition, type ParamScalar, paramConditionSchema } from '@/lib/contract/param-condition';
import { isPlain, quote, type Run } from './quoting.model';
import { valuesOf } from './read-values.model';
import type { Problem } from './read-word.model';

/** `:` reads as =, and the signs of print as what they mean. */
const OPERATOR = /!=|<=|>=|=|<|>|≠|≤|≥|:|\s+in\b|\s+exists\s*$/i;
const SAME_AS: Record<string, ParamCondition['op']> = { '≠': '!=', '≤': '<=', '≥': '>=', ':': '=' };
/** Of a path that needs no quotes. */
const PLAIN_PATH = /^[^\s",:=!<>≠≤≥*]+$/;
/** In a value these could be read as an operator, a list, or “any value”. */
const SIGNS = /[[\]*=<>≠≤≥]/;

const problem = (why: string, remedy: string): { problem: Problem } => ({ problem: { why, remedy } });

/** Reads `param.resampling=cubic`, `param.zoom>3`, `param.mode=a,b`, `param.nodata=*` (there is one). */
export function readParam(runs: readonly Run[], excluded: boolean): { part: Filter } | { problem: Problem } {
  const at = operatorOf(runs);
  const path = pathOf(at ? at.before : runs);
  if (path === '') return problem('param. names no parameter', 'write its path, as in param.resampling=cubic');
  if (!at) return problem(`param.${path} says nothing about its value`, `write param.${path}=… or param.${path}=*`);
  const word = at.sign.trim().toLowerCase();
  const op = SAME_AS[word] ?? (word as ParamCondition['op']);
  const rest = trimmed(at.after);
  const bare = rest.length === 1 && !rest[0]?.quoted ? rest[0]?.text.trim() : null;
  if (op === 'exists' || (op === '=' && bare === '*'))
    return excluded
      ? problem(`param.${path}=* cannot be excluded`, 'leave out the !')
      : checked([{ path, op: 'exists' }]);
  const list = bracketed(rest);
  const values = (list ?? valuesOf(rest)).map((value) => (value.quoted ? value.text : scalarOf(value.text.trim())));
  if (values.length === 0) return problem(`param.${path} has no value behind ${word}`, `write param.${path}${op}…`);
  const star = (list ?? valuesOf(rest)).find(({ text, quoted }) => !quoted && text.includes('*'));
  if (star) return problem('a value of a parameter has no *', `quote it where the star is meant: "${star.text}"`);
  const negated = op === '!=' || (excluded && (op === '=' || op === 'in'));
  if (negated) return checked(values.map((value) => ({ path, op: '!=', value })));
  if (excluded) return problem(`param.${path}${op} cannot be excluded`, 'turn the sign round');
  if (op === 'in' || list || values.length > 1) {
    if (op !== 'in' && op !== '=') return problem(`${op} takes one value`, `write param.${path}=a,b for a list`);
    return checked([{ path, op: 'in', value: values }]);
  }
  return checked([{ path, op, value: values[0] as ParamScalar }]);
}

/** The word that reads as this condition. */
export function paramText({ path, op, value }: ParamCondition): string {
  const name = `param.${isPlain(path) && PLAIN_PATH.test(path) ? path : quote(path)}`;
  if (op === 'exists') return `${name}=*`;
  if (!Array.isArray(value)) return `${name}${op}${scalarText(value ?? null)}`;
  const list = value.map(scalarText).join(',');
  return value.length > 1 ? `${name}=${list}` : `${name}=[${list}]`;
}

function checked(conditions: ParamCondition[]): { part: Filter } | { problem: Problem } {
  for (const condition of conditions) {
    const read = paramConditionSchema.safeParse(condition);
    if (!read.success)
      return problem(read.error.issues[0]?.message ?? 'cannot be read', 'write it as in param.resampling=cubic');
  }
  return { part: { params: conditions } };
}

/** The first operator outside quotes, with what stands before and after it. */
function operatorOf(runs: readonly Run[]): { sign: string; before: Run[]; after: Run[] } | null {
  const skip = /^!?params?[.:]/i.exec(runs[0]?.text ?? '')?.[0].length ?? 0;
  for (const [i, run] of runs.entries()) {
    if (run.quoted) continue;
    const from = i === 0 ? skip : 0;
    const found = OPERATOR.exec(run.text.slice(from));
    if (!found) continue;
    const start = from + found.index;
    const side = (text: string): Run[] => (text === '' ? [] : [{ text, quoted: false }]);
    return {
      sign: found[0],
      before: [...runs.slice(0, i), ...side(run.text.slice(0, start))],
      after: [...side(run.text.slice(start + found[0].length)), ...runs.slice(i + 1)],
    };
  }
  return null;
}

/** A path quoted as a whole is what it is; quotes behind a dot are the contract's, around one step of it. */
function pathOf(runs: readonly Run[]): string {
  const [first, ...rest] = runs;
  const head = (first?.text ?? '').replace(/^!?params?[.:]/i, '');
  if (head === '' && rest.length === 1 && rest[0]?.quoted) return rest[0].text;
  return [head, ...rest.map(({ text, quoted }) => (quoted ? JSON.stringify(text) : text))].join('').trim();
}

function trimmed(runs: readonly Run[]): Run[] {
  return runs.filter(({ text, quoted }) => quoted || text.trim() !== '');
}

/** What stands between [ and ], or null where there are none. */
function bracketed(runs: readonly Run[]): ReturnType<typeof valuesOf> | null {
  const first = runs[0];
  const last = runs.at(-1);
  if (!first || !last || first.quoted || last.quoted) return null;
  if (!first.text.trimStart().startsWith('[') || !last.text.trimEnd().endsWith(']')) return null;
  const inner = runs.map((run, i) => {
    let { text } = run;
    if (!run.quoted) {
      if (i === 0) text = text.trimStart().slice(1);
      if (i === runs.length - 1) text = text.trimEnd().slice(0, -1);
      text = text.replace(/\s*,\s*/g, ',');
    }
    return { ...run, text };
  });
  const ends = inner.map((run, i) => (run.quoted ? run : { ...run, text: trimEnds(run.text, i, inner.length) }));
  return valuesOf(trimmed(ends).length === 0 ? [] : ends);
}

function trimEnds(text: string, i: number, length: number): string {
  const start = i === 0 ? text.trimStart() : text;
  return i === length - 1 ? start.trimEnd() : start;
}

/** Numbers, yes/no and null as JSON has them; everything else is a text, an integer too long for a double too. */
function scalarOf(text: string): ParamScalar {
  if (!/^(?:-?\d|true$|false$|null$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(text))
      return text;
    return Number.isFinite(value) || typeof value === 'boolean' || value === null ? (value as ParamScalar) : text;
  } catch {
    return text;
  }
}

/** A value as it is written behind the sign: a text is quoted where it would be read as something else. */
export function scalarText(value: ParamScalar): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  const isText = isPlain(value) && !SIGNS.test(value) && scalarOf(value) === value && !value.startsWith('!');
  // what looks like a number too long for a double reads as a text, but only quotes say so
  return isText && !/^-?\d+$/.test(value) ? value : quote(value);
}

function numberText(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return scalarOf(text) === value ? text : value.toExponential();
}
