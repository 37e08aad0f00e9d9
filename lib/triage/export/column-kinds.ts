import { EXPORT_COLUMNS } from '@/lib/contract/export';
import type { Feature } from './features';

export type ColumnKind = 'text' | 'integer' | 'number' | 'moment';

const INTEGERS = ['attempts', 'reopen_count', 'redrive_attempts', 'max_redrives', 'srid', 'fault_count'];
const NUMBERS = ['lon', 'lat', 'tile_distance_m'];
const MOMENTS = ['first_seen', 'failed_at'];

function kindOf(name: string): ColumnKind {
  if (INTEGERS.includes(name)) return 'integer';
  if (NUMBERS.includes(name)) return 'number';
  return MOMENTS.includes(name) ? 'moment' : 'text';
}

/** The columns of formats that know types: those of CSV, and why a footprint is left out. */
export const TYPED_COLUMNS: readonly { name: string; kind: ColumnKind }[] = [
  ...EXPORT_COLUMNS.map((name) => ({ name, kind: kindOf(name) })),
  { name: 'geometry_omitted', kind: 'text' },
];

/** What a typed column takes of a feature. A list is written with spaces between; what is not finite is null. */
export function cellOf({ row, geometry_omitted }: Feature, name: string, kind: ColumnKind): string | number | null {
  const value = name === 'geometry_omitted' ? geometry_omitted : (row as Record<string, unknown>)[name];
  if (value === null || value === undefined) return null;
  if (kind === 'integer' || kind === 'number') return Number.isFinite(value) ? (value as number) : null;
  if (kind === 'moment') return Number.isNaN(Date.parse(String(value))) ? null : String(value);
  return Array.isArray(value) ? value.join(' ') : String(value);
}
