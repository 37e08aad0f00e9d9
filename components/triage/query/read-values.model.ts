import { NO_VALUE, type SetField } from '@/lib/contract/filter';
import { isPlain, quote, type Run } from './quoting.model';

/** Fields that an entry can be without: `none` means those. */
export const NULLABLE: readonly SetField[] = [
  'src_crs',
  'srid',
  'code_version',
  'crs_verdict',
  'unmappable_reason',
  'fault',
  'run_id',
  'source_uri',
];

/** One value of a list as typed. `quoted`: it begins with a quote, so that nothing in it has a meaning of its own. */
export type TypedValue = { text: string; quoted: boolean };

/** Splits at commas outside quotes; what is empty is left out unless it is quoted. */
export function valuesOf(runs: readonly Run[]): TypedValue[] {
  const values: TypedValue[] = [];
  let current: TypedValue = { text: '', quoted: false };
  const end = () => {
    if (current.text !== '' || current.quoted) values.push(current);
    current = { text: '', quoted: false };
  };
  for (const run of runs) {
    const parts = run.quoted ? [run.text] : run.text.split(',');
    for (const [i, part] of parts.entries()) {
      if (i > 0) end();
      const begins = current.text === '' && !current.quoted;
      current = { text: current.text + part, quoted: begins ? run.quoted : current.quoted };
    }
  }
  end();
  return values;
}

export const wholeOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join('');

/** The filter's own form of a typed value: `!` before what is excluded, ∅ for none. */
export function filterValue(field: SetField, value: TypedValue, excluded: boolean): string {
  const inverted = !value.quoted && value.text.startsWith('!');
  const plain = inverted ? value.text.slice(1) : value.text;
  const known = plain === 'none' && !value.quoted && NULLABLE.includes(field) ? NO_VALUE : plain;
  return excluded || inverted ? `!${known}` : known;
}

/** The other way: the value without its `!`, quoted where it must be. */
export function valueText(field: SetField, value: string): string {
  if (value === NO_VALUE && NULLABLE.includes(field)) return 'none';
  const hasMeaning = value.startsWith('!') || (value === 'none' && NULLABLE.includes(field));
  return hasMeaning || !isPlain(value) ? quote(value) : value;
}
