import { z } from 'zod';
import { ERROR_CLASSES, STATES, UNRESOLVED_STATES } from '../dead-letter/vocabulary';
import { POLYGON_FORM, polygonFromText, polygonSchema, polygonText } from './area-polygon';
import { PARAM_FORM, paramConditionSchema, paramFromText, paramText } from './param-condition';
import { wordsSchema } from './search-words';

/**
 * The one filter: the same object in the page's URL, the API, tiles, exports, saved views and operations.
 * A condition is a set of values (or); `!` before a value excludes it; a trailing `*` is a prefix.
 * `state` left out means unresolved, so that the total on the page is the depth; `state=any` means all.
 */
export const SET_FIELDS = [
  'queue',
  'state',
  'failure_class',
  'error_class',
  'task_name',
  'src_crs',
  'srid',
  'code_version',
  'signature',
  'crs_verdict',
  'unmappable_reason',
  'fault',
  'run_id',
  'source_uri',
] as const;
export type SetField = (typeof SET_FIELDS)[number];

/** Stands for "no value" in a set condition: `src_crs=∅` are the entries without a claim. */
export const NO_VALUE = '∅';

const values = z.array(z.string().min(1).max(500)).max(200);
const PLACE_CODE = /^[A-Z0-9]{2,3}(-[A-Z0-9~]{1,6})?$/;
const bbox = z.tuple([z.number(), z.number(), z.number(), z.number()]);

export const filterSchema = z.strictObject({
  queue: values.optional(),
  state: z
    .array(
      z
        .string()
        .refine(
          (value) => value === 'any' || (STATES as readonly string[]).includes(value.replace(/^!/, '')),
          'a state',
        ),
    )
    .optional(),
  failure_class: values.optional(),
  error_class: z
    .array(
      z
        .string()
        .refine(
          (value) => (ERROR_CLASSES as readonly string[]).includes(value.replace(/^!/, '')),
          'transient or fatal',
        ),
    )
    .optional(),
  task_name: values.optional(),
  src_crs: values.optional(),
  srid: values.optional(),
  code_version: values.optional(),
  signature: values.optional(),
  crs_verdict: values.optional(),
  unmappable_reason: values.optional(),
  /** Codes of faults; an entry with several matches by any of them. */
  fault: values.optional(),
  /** The run of the newest failure. A viewer never finds a sensitive entry by it. */
  run_id: values.optional(),
  /** Sources that the current payload names; an entry with several matches by any of them. A viewer never finds a sensitive entry by it. */
  source_uri: z.array(z.string().min(1).max(2000)).max(200).optional(),
  mappable: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  /** Came back after a resolution. */
  reopened: z.boolean().optional(),
  /** ISO 8601; compared with `failed_at`: since ≤ failed_at < until. */
  since: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  /** [west, south, east, north] in degrees; means the position cell. West > east crosses 180°. */
  bbox: bbox.optional(),
  /** Its footprint touches the area inside this ring. A viewer never finds a sensitive entry by it. */
  polygon: polygonSchema.optional(),
  /** Codes of countries and of their regions (`US`, `US-OH`): its footprint touches any of them. A viewer never finds a sensitive entry by it. */
  place: z
    .array(z.string().regex(PLACE_CODE, 'takes codes of countries and regions such as US or US-OH'))
    .min(1)
    .max(50)
    .optional(),
  /** Prefix of the work key, or a whole key that was given. */
  work_key: z.string().min(1).max(2000).optional(),
  /** Words and "phrases" that are all in its error text or traceback, in any case. A viewer never finds a sensitive entry by it. */
  q: wordsSchema.optional(),
  /** Conditions on the params of its current payload, all of them. A viewer never finds a sensitive entry by it. */
  params: z.array(paramConditionSchema).min(1).max(20).optional(),
  ids: z
    .array(z.string().regex(/^\d{1,19}$/, 'takes numbers of entries'))
    .max(10_000)
    .optional(),
});
export type Filter = z.infer<typeof filterSchema>;

const BOOLEAN_FIELDS = ['mappable', 'sensitive', 'reopened'] as const;

/** A filter that cannot be read: names the parameter and what it takes. */
export class FilterError extends Error {
  constructor(
    readonly parameter: string,
    message: string,
  ) {
    super(message);
    this.name = 'FilterError';
  }
}

/**
 * Reads the filter from query parameters; parameters that are not of the filter are left to the caller's list `others`.
 * @throws FilterError naming an unknown parameter or a value that cannot be read.
 */
export function filterFromSearch(search: URLSearchParams, others: readonly string[] = []): Filter {
  const raw: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    if (others.includes(name)) continue;
    const all = search.getAll(name);
    const last = all.at(-1) ?? '';
    if ((SET_FIELDS as readonly string[]).includes(name) || name === 'ids' || name === 'place') raw[name] = all;
    else if ((BOOLEAN_FIELDS as readonly string[]).includes(name)) {
      if (last !== 'true' && last !== 'false')
        throw new FilterError(name, `${name} takes true or false, not “${last}”`);
      raw[name] = last === 'true';
    } else if (name === 'bbox') raw[name] = last.split(',').map(Number);
    else if (name === 'polygon') raw[name] = readPolygon(last);
    else if (name === 'params') raw[name] = all.map(readParam);
    else raw[name] = last;
  }
  return parseFilter(raw);
}

function readPolygon(text: string): number[][] {
  const ring = polygonFromText(text);
  if (ring.some((pair) => pair.length !== 2 || pair.some(Number.isNaN)))
    throw new FilterError('polygon', `polygon ${POLYGON_FORM}, not “${shortened(text)}”`);
  return ring;
}

function readParam(text: string): unknown {
  const condition = paramFromText(text);
  if (!condition) throw new FilterError('params', `params ${PARAM_FORM}; not “${shortened(text)}”`);
  return condition;
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** @throws FilterError naming the field. */
export function parseFilter(raw: unknown): Filter {
  const parsed = filterSchema.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : null;
    const parameter = unknown ?? String(issue?.path[0] ?? 'filter');
    throw new FilterError(parameter, unknown ? `no such condition: ${unknown}` : `${parameter}: ${issue?.message}`);
  }
  if (parsed.data.bbox?.some((value) => !Number.isFinite(value)))
    throw new FilterError('bbox', 'bbox takes four numbers: west,south,east,north');
  return parsed.data;
}

/** The query parameters of a filter, in a fixed order, so that equal filters make equal URLs. */
export function filterToSearch(filter: Filter): URLSearchParams {
  const search = new URLSearchParams();
  for (const field of SET_FIELDS) for (const value of filter[field] ?? []) search.append(field, value);
  for (const field of BOOLEAN_FIELDS) if (filter[field] !== undefined) search.set(field, String(filter[field]));
  if (filter.since) search.set('since', filter.since);
  if (filter.until) search.set('until', filter.until);
  if (filter.bbox) search.set('bbox', filter.bbox.join(','));
  if (filter.polygon) search.set('polygon', polygonText(filter.polygon));
  for (const code of filter.place ?? []) search.append('place', code);
  if (filter.work_key) search.set('work_key', filter.work_key);
  if (filter.q) search.set('q', filter.q);
  for (const condition of filter.params ?? []) search.append('params', paramText(condition));
  for (const id of filter.ids ?? []) search.append('ids', id);
  return search;
}

/** The states that a filter means; the default is every unresolved one. */
export function statesOf(filter: Filter): readonly string[] {
  const given = filter.state ?? [];
  if (given.includes('any')) return STATES;
  const excluded = given.filter((value) => value.startsWith('!')).map((value) => value.slice(1));
  const included = given.filter((value) => !value.startsWith('!'));
  if (included.length > 0) return included.filter((state) => !excluded.includes(state));
  if (excluded.length > 0) return STATES.filter((state) => !excluded.includes(state));
  return UNRESOLVED_STATES;
}
