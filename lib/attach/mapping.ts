import type { Attachment } from '@/db/queries/attached-table';
import type { TableColumn, TableFacts } from '@/db/queries/describe-table';
import { DlqError } from '@/lib/contract/error';
import { COLUMN_NAMES, FIELDS, type Field, typeFits } from './fields';

export interface MappingOptions {
  /** Column: field of a capture, or '-' to leave the column out. */
  map: ReadonlyMap<string, string>;
  task_name?: string | undefined;
  queue?: string | undefined;
}

export interface ProposedMapping {
  attachment: Attachment;
  /** What a reader should know before agreeing, a sentence each. */
  notes: string[];
}

/** How the rows of a table are captures: by the names of its columns, then by what `map` says instead. */
export function proposeMapping(facts: TableFacts, { map, task_name, queue }: MappingOptions): ProposedMapping {
  const notes: string[] = [];
  const mapping = new Map<Field, string[]>(asked(facts, map));
  const free = facts.columns.filter(({ name }) => !map.has(name));
  const add = (field: Field, column: TableColumn | undefined) => {
    if (!column || mapping.has(field) || [...mapping.values()].some((names) => names.includes(column.name))) return;
    if (typeFits(field, column.type)) mapping.set(field, [column.name]);
    else notes.push(`${column.name} is ${column.type}, which ${field} cannot be: left out.`);
  };
  for (const [field, names] of COLUMN_NAMES)
    add(
      field,
      names.map((name) => free.find((column) => column.name.toLowerCase() === name)).find((column) => column),
    );
  const shapes = free.filter(({ type }) => type === 'geometry' || type === 'geography');
  if (shapes.length === 1) add('geom', shapes[0]);
  else if (shapes.length > 1 && !mapping.has('geom'))
    notes.push(
      `Several geometry columns (${names(shapes)}): choose one with --map <column>=geom; none is captured now.`,
    );

  const row_key = facts.keys.find(({ not_null }) => not_null)?.columns;
  if (!row_key)
    throw new DlqError(
      'unprocessable',
      `${facts.schema_name}.${facts.table_name} has no key: its rows cannot be told apart or read in chunks. Add a primary key, or a unique index over columns that are not null.`,
    );
  if (!mapping.has('work_key')) mapping.set('work_key', workKey(facts, row_key, mapping, notes));
  const work_key = mapping.get('work_key') as string[];
  const unique = facts.keys.some(({ columns }) => columns.every((column) => work_key.includes(column)));
  if (!unique) {
    notes.push(
      `${work_key.join(', ')} is not unique here: each row is one failure, and rows with the same key are one entry.`,
    );
    if (mapping.delete('attempts')) notes.push('A row is one failure: its attempts column is left out.');
  }
  if (mapping.has('params') && mapping.has('param'))
    throw new DlqError(
      'bad_request',
      `${mapping.get('params')} holds all params: no column can be one of them beside it`,
    );
  if (!mapping.has('params') && !mapping.has('param')) {
    const kept = free.filter(
      ({ name, type }) =>
        !row_key.includes(name) &&
        !/^(time|date|interval|geo|bytea)/.test(type) &&
        ![...mapping.values()].flat().includes(name),
    );
    if (kept.length > 0) {
      mapping.set(
        'param',
        kept.map(({ name }) => name),
      );
      notes.push(
        `No params column: ${names(kept)} ${kept.length === 1 ? 'becomes a member' : 'become members'} of params.`,
      );
    }
  }
  const used = new Set([...mapping.values()].flat());
  const left = facts.columns.filter(({ name }) => !used.has(name) && !row_key.includes(name));
  if (left.length > 0) notes.push(`Not captured: ${names(left)}.`);
  if (!mapping.has('failed_at')) {
    const times = left.filter(({ type }) => typeFits('failed_at', type));
    notes.push(
      `No failed_at: rows that are there count as failed ${mapping.has('first_seen') ? 'when first seen' : 'when they are attached'}${times.length > 0 ? `; --map ${times[0]?.name}=failed_at takes ${names(times)} instead` : ''}.`,
    );
  }
  const zoneless = facts.columns.filter(
    ({ name, type }) => used.has(name) && (type === 'timestamp without time zone' || type === 'date'),
  );
  if (zoneless.length > 0) notes.push(`${names(zoneless)}: without a time zone, taken as UTC.`);
  return {
    attachment: {
      schema_name: facts.schema_name,
      table_name: facts.table_name,
      table_oid: facts.table_oid,
      rows_are: unique ? 'units' : 'failures',
      mapping: Object.fromEntries(mapping),
      row_key,
      task_name: task_name ?? facts.table_name,
      queue: queue ?? null,
    },
    notes,
  };
}

const names = (columns: TableColumn[]) => columns.map(({ name }) => name).join(', ');

/** The mapping that was asked for, each pair checked. */
function asked(facts: TableFacts, map: ReadonlyMap<string, string>): [Field, string[]][] {
  const fields = new Map<Field, string[]>();
  for (const [column, field] of map) {
    const found = facts.columns.find(({ name }) => name === column);
    if (!found)
      throw new DlqError(
        'bad_request',
        `--map ${column}=${field}: there is no column ${column}. The columns are ${names(facts.columns)}`,
      );
    if (field === '-') continue;
    if (!isField(field))
      throw new DlqError(
        'bad_request',
        `--map ${column}=${field}: ${field} is no field of a capture. The fields are ${FIELDS.join(', ')}`,
      );
    if (!typeFits(field, found.type))
      throw new DlqError(
        'bad_request',
        `--map ${column}=${field}: ${column} is ${found.type}, which ${field} cannot be`,
      );
    const columns = [...(fields.get(field) ?? []), column];
    if (columns.length > 1 && field !== 'work_key' && field !== 'param')
      throw new DlqError(
        'bad_request',
        `--map: ${columns.join(' and ')} cannot both be ${field}; only work_key and param take several columns`,
      );
    fields.set(field, columns);
  }
  return [...fields];
}

const isField = (word: string): word is Field => (FIELDS as readonly string[]).includes(word);

/** Columns that identify the unit of work where no column is called so. */
function workKey(facts: TableFacts, row_key: string[], mapping: Map<Field, string[]>, notes: string[]): string[] {
  const [task_id, geom_hash] = [mapping.get('task_id')?.[0], mapping.get('geom_hash')?.[0]];
  if (task_id && geom_hash) return [task_id, geom_hash];
  const made = row_key.every((name) => facts.columns.find((column) => column.name === name)?.has_default);
  const others = facts.keys.filter(({ columns, not_null }) => not_null && columns.join() !== row_key.join());
  if (made && others.length === 1 && others[0]) {
    notes.push(
      `No work_key column: the unique ${others[0].columns.join(', ')} identifies the unit of work (${row_key.join(', ')} is made by the table).`,
    );
    return others[0].columns;
  }
  notes.push(`No work_key column: the key ${row_key.join(', ')} identifies the unit of work.`);
  return row_key;
}
