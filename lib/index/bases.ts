import { FAILURE_CLASSES } from '../dead-letter/vocabulary';
import type { ComboRow } from './query';
import { Values } from './values';

/** The columns of a combo that make its base: all but those that multiply (git SHAs, signatures). */
export const BASE_FIELDS = [
  'queue',
  'failure_class',
  'error_class',
  'task_name',
  'src_crs',
  'srid',
  'crs_verdict',
  'unmappable_reason',
] as const;
export type BaseField = (typeof BASE_FIELDS)[number];

/** The dictionary of distinct values of BASE_FIELDS and `sensitive`, by number from 0. */
export class Bases {
  readonly values: Record<BaseField, Values>;
  /** Codes of each base's values. */
  readonly codes: Record<BaseField, number[]>;
  readonly sensitive: boolean[] = [];
  /** The place of each base's class in FAILURE_CLASSES, or one behind them. */
  readonly known_class: number[] = [];
  readonly #ids = new Map<string, number>();

  constructor() {
    const make = <T>(one: () => T) => Object.fromEntries(BASE_FIELDS.map((field) => [field, one()]));
    this.values = make(() => new Values()) as Record<BaseField, Values>;
    this.codes = make(() => []) as unknown as Record<BaseField, number[]>;
  }

  add(row: ComboRow): number {
    const codes = BASE_FIELDS.map((field) => this.values[field].add(textIn(row, field)));
    const key = `${codes.join()},${row.sensitive}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(key, id);
    for (const [i, field] of BASE_FIELDS.entries()) this.codes[field].push(codes[i]!);
    this.sensitive.push(row.sensitive);
    const known_class = (FAILURE_CLASSES as readonly string[]).indexOf(row.failure_class);
    this.known_class.push(known_class < 0 ? FAILURE_CLASSES.length : known_class);
    return id;
  }

  get size(): number {
    return this.sensitive.length;
  }

  /** An estimate. */
  get bytes(): number {
    return BASE_FIELDS.reduce((sum, field) => sum + this.values[field].bytes, 0) + this.size * 160;
  }
}

function textIn(row: ComboRow, field: BaseField): string | null {
  const value = row[field];
  return value === null ? null : String(value);
}
