import type { ListItem, Sort } from '@/lib/contract/triage';
import { csvField } from '@/lib/dead-letter/csv-field';

type Value = string | number | null;
/** A column of the list. `px` is its width until it is dragged to another one; `sort` is the order that its head asks for. */
export type Column = {
  title: string;
  /** The head's words where they are shorter, or have a unit. */
  head?: string;
  px: number;
  sort?: Sort;
  numeric?: true;
  /** The fields of a copy as CSV, by the names that the API gives them. */
  fields: (item: ListItem) => Record<string, Value>;
};

const field = (name: keyof ListItem & string) => (item: ListItem) => ({ [name]: item[name] as Value });

/** In the order of the menu. Which class failed stands before all of them, as its shape. */
export const COLUMNS = {
  work_key: { title: 'Work key', px: 216, fields: field('work_key') },
  task_name: { title: 'Task', px: 132, fields: field('task_name') },
  src_crs: { title: 'Claimed', px: 96, fields: field('src_crs') },
  crs_verdict: { title: 'Verdict', px: 116, fields: field('crs_verdict') },
  faults: { title: 'Faults', px: 132, fields: ({ fault_codes }) => ({ fault_codes: fault_codes.join(' ') }) },
  error: { title: 'Error', px: 240, fields: field('error_text') },
  state: { title: 'State', px: 92, fields: ({ state, resolution }) => ({ state, resolution }) },
  tile_distance: {
    title: 'Distance to tile',
    head: 'To tile, km',
    px: 88,
    sort: 'tile_distance',
    numeric: true,
    fields: field('tile_distance_m'),
  },
  attempts: {
    title: 'Times failed',
    head: 'Times',
    px: 66,
    sort: 'attempts',
    numeric: true,
    fields: ({ attempts, reopen_count }) => ({ attempts, reopen_count }),
  },
  first_seen: {
    title: 'First failed',
    px: 92,
    sort: 'first_seen',
    numeric: true,
    fields: field('first_seen'),
  },
  failed_at: { title: 'Last failed', px: 92, sort: 'failed_at', numeric: true, fields: field('failed_at') },
  failure_class: { title: 'Class', px: 124, fields: field('failure_class') },
  error_class: { title: 'Error class', px: 84, fields: field('error_class') },
  error_type: { title: 'Error type', px: 148, fields: field('error_type') },
  signature: { title: 'Signature', px: 132, fields: field('signature') },
  code_version: { title: 'Code version', px: 108, fields: field('code_version') },
  queue: { title: 'Queue', px: 92, fields: field('queue') },
  srid: { title: 'SRID', px: 64, numeric: true, fields: field('srid') },
  redrives: {
    title: 'Redrives',
    px: 72,
    numeric: true,
    fields: ({ redrive_attempts, max_redrives }) => ({ redrive_attempts, max_redrives }),
  },
  position: {
    title: 'Position, lon lat',
    head: 'Lon, lat',
    px: 148,
    numeric: true,
    fields: ({ position }) => ({ lon: position?.[0] ?? null, lat: position?.[1] ?? null }),
  },
  id: { title: 'Entry', px: 84, numeric: true, fields: field('id') },
} as const satisfies Record<string, Column>;
export type ColumnId = keyof typeof COLUMNS;
export const columnOf = (id: ColumnId): Column => COLUMNS[id];
export const COLUMN_IDS = Object.keys(COLUMNS) as ColumnId[];

/** What is shown until a person chooses, as far as there is room: the style sheet leaves out what does not fit. */
export const USUAL: readonly ColumnId[] = COLUMN_IDS.slice(0, COLUMN_IDS.indexOf('failed_at') + 1);

/** The columns that a person chose, in their order; without `px` a column has its own width, or what is left. */
export type ColumnChoice = readonly { id: ColumnId; px?: number }[];

export const MIN_PX = 48;
export const MAX_PX = 900;

/** Reads what the browser kept; null for what is none, so that the usual columns are shown. */
export function readChoice(text: string | null): ColumnChoice | null {
  try {
    const kept: unknown = JSON.parse(text ?? 'null');
    if (!Array.isArray(kept)) return null;
    const ids = new Set<ColumnId>();
    const choice = kept.flatMap((one: unknown) => {
      const { id, px } = (one ?? {}) as { id?: ColumnId; px?: unknown };
      if (!id || !Object.hasOwn(COLUMNS, id) || ids.has(id)) return [];
      ids.add(id);
      return [typeof px === 'number' && Number.isFinite(px) ? { id, px: withinPx(px) } : { id }];
    });
    return ids.has('work_key') ? choice : null;
  } catch {
    return null;
  }
}

const withinPx = (px: number) => Math.round(Math.max(MIN_PX, Math.min(MAX_PX, px)));

export function withWidth(choice: ColumnChoice, id: ColumnId, px: number): ColumnChoice {
  return choice.map((column) => (column.id === id ? { id, px: withinPx(px) } : column));
}

/** Shows a column, at the end, or hides it. The work key stays: it is what a row is of. */
export function withColumn(choice: ColumnChoice, id: ColumnId, on: boolean): ColumnChoice {
  if (!on) return id === 'work_key' ? choice : choice.filter((column) => column.id !== id);
  return choice.some((column) => column.id === id) ? choice : [...choice, { id }];
}

/** Puts a column at a place among the others, 0 … n − 1. */
export function movedTo(choice: ColumnChoice, id: ColumnId, place: number): ColumnChoice {
  const moved = choice.find((column) => column.id === id);
  if (!moved) return choice;
  const others = choice.filter((column) => column.id !== id);
  const at = Math.max(0, Math.min(others.length, place));
  return [...others.slice(0, at), moved, ...others.slice(at)];
}

/** Puts a column beside another one. */
export function movedBeside(
  choice: ColumnChoice,
  id: ColumnId,
  beside: ColumnId,
  side: 'before' | 'behind',
): ColumnChoice {
  const at = choice.filter((column) => column.id !== id).findIndex((column) => column.id === beside);
  return at < 0 ? choice : movedTo(choice, id, side === 'before' ? at : at + 1);
}

/** Columns that take what is left, the first that is shown and was not dragged. */
const GROWING: readonly ColumnId[] = ['error', 'work_key'];
/** What a growing column is left with before the list scrolls sideways. */
const GROWING_PX = 140;
/** Of the box and the class before the columns. */
const BEFORE_PX = 60;

export type ColumnLayout = {
  columns: readonly { id: ColumnId; px: number; grows: boolean }[];
  /** What all of them need; the list scrolls sideways where it has less. */
  total_px: number;
  /** Nothing grows: an empty column takes what is left. */
  has_filler: boolean;
};

/** `hidden` are columns that say the same in every row, and stand in the bar instead. */
export function layoutOf(choice: ColumnChoice, hidden: ReadonlySet<ColumnId>): ColumnLayout {
  const shown = choice.filter(({ id }) => !hidden.has(id));
  const growing = GROWING.find((id) => shown.some((column) => column.id === id && column.px === undefined));
  const columns = shown.map(({ id, px }) => ({ id, px: px ?? COLUMNS[id].px, grows: id === growing }));
  const total_px = columns.reduce((sum, { px, grows }) => sum + (grows ? GROWING_PX : px), BEFORE_PX);
  return { columns, total_px, has_filler: growing === undefined };
}

/** Rows as CSV (RFC 4180) with a head: the class, then the columns in their order. */
export function rowsAsCsv(items: readonly ListItem[], ids: readonly ColumnId[]): string {
  const fieldsOf = (item: ListItem): Record<string, Value> =>
    Object.assign({ failure_class: item.failure_class }, ...ids.map((id) => columnOf(id).fields(item)));
  const first = items[0];
  if (!first) return '';
  const names = Object.keys(fieldsOf(first));
  const lines = items.map((item) => {
    const fields = fieldsOf(item);
    return names.map((name) => csvField(fields[name] ?? null)).join(',');
  });
  return `${[names.join(','), ...lines].join('\r\n')}\r\n`;
}
