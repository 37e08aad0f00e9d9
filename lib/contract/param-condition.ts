import { z } from 'zod';
import { readParamPath } from './param-path';

/** `=` and `!=` take any single value, the comparisons a number or a text, `in` a list, `exists` nothing. */
export const PARAM_OPS = ['=', '!=', '<', '<=', '>', '>=', 'in', 'exists'] as const;
export type ParamOp = (typeof PARAM_OPS)[number];
export type ParamScalar = string | number | boolean | null;

const scalar = z.union([z.string().max(2000), z.number(), z.boolean(), z.null()]);

/**
 * One condition on the params of the current payload. `!=` is “not `=`”: it keeps what has no such param. Numbers are
 * compared with numbers only, texts with texts (by code point); `= null` means a null that is there.
 */
export const paramConditionSchema = z
  .strictObject({
    path: z.string().min(1).max(500),
    op: z.enum(PARAM_OPS),
    value: z.union([scalar, z.array(scalar).min(1).max(100)]).optional(),
  })
  .superRefine((condition, context) => {
    const problem =
      readParamPath(condition.path) === null ? `${PATH_FORM}, not “${condition.path}”` : problemOf(condition);
    if (problem) context.addIssue({ code: 'custom', message: problem });
  });
export type ParamCondition = z.infer<typeof paramConditionSchema>;

const PATH_FORM = 'takes a path such as tile.zoom, bands[0] or a."b.c"';
/** What the condition takes, as its errors say it. */
export const PARAM_FORM =
  'takes a path, = != < <= > >= in or exists, and a value: “resampling=cubic”, “zoom>3”, “mode in ["a","b"]”, “x exists”';

function problemOf({ path, op, value }: { path: string; op: ParamOp; value?: unknown }): string | null {
  const inexact = [value].flat().find((one) => typeof one === 'number' && Math.abs(one) > Number.MAX_SAFE_INTEGER);
  if (inexact !== undefined)
    return `numbers beyond ±${Number.MAX_SAFE_INTEGER} are not exact (at ${path}); put a text in quotes`;
  if (op === 'exists') return value === undefined ? null : `exists takes no value (at ${path})`;
  if (op === 'in') return Array.isArray(value) ? null : `in takes a list such as ["a","b"] (at ${path})`;
  if (value === undefined || Array.isArray(value)) return `${op} takes one value (at ${path}); use in for a list`;
  if (op === '=' || op === '!=' || typeof value === 'number' || typeof value === 'string') return null;
  return `${op} compares numbers or texts, not ${value} (at ${path})`;
}

/** Reads `path op value`; the value is JSON where it parses, else a text. @returns null where it has not that form. */
export function paramFromText(text: string): { path: string; op: string; value?: unknown } | null {
  const match =
    /^\s*((?:[^\s"=!<>]|"(?:[^"\\]|\\.)*")+)\s*(?:(!=|<=|>=|=|<|>)|(?<=\s)(in)(?=[\s[])|(?<=\s)(exists)\s*$)([\s\S]*)$/.exec(
      text,
    );
  if (!match) return null;
  const [, path = '', sign, list, exists, rest = ''] = match;
  if (exists) return { path, op: exists };
  return { path, op: sign ?? list ?? '', value: valueIn(rest.trim()) };
}

function valueIn(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The condition as `paramFromText` reads it back. */
export function paramText({ path, op, value }: ParamCondition): string {
  if (op === 'exists') return `${path} exists`;
  if (op === 'in') return `${path} in ${JSON.stringify(value)}`;
  return `${path}${op}${typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value)}`;
}

/** Whether a text reads as itself without quotes. */
function isPlain(text: string): boolean {
  return /^[\p{L}_/][\p{L}\p{N}_./:-]*$/u.test(text) && !['true', 'false', 'null'].includes(text);
}
