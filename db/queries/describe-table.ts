import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface TableColumn {
  name: string;
  /** Its type as SQL writes it, without modifiers; a domain by what it is made of. */
  type: string;
  not_null: boolean;
  generated: boolean;
  /** The table itself gives a value: identity or default. */
  has_default: boolean;
}

export interface TableFacts {
  schema_name: string;
  table_name: string;
  table_oid: string;
  /** pg_class.relkind: r table, p partitioned, v view, m materialized view, f foreign table. */
  kind: string;
  temporary: boolean;
  partition_of: string | null;
  row_security: boolean;
  /** The relations that a view reads. */
  reads: string[];
  columns: TableColumn[];
  /** Unique indexes without predicate or expression, the primary key first. */
  keys: { columns: string[]; primary: boolean; not_null: boolean }[];
  /** The attachment under which it is captured already. */
  attached_id: number | null;
}

/** What the catalog says of the relation that a name means on this search path; null where there is none. */
export async function describeTable(db: Db | Tx, name: string): Promise<TableFacts | null> {
  const { rows } = await db.execute<TableFacts & Record<string, unknown>>(sql`
    select n.nspname as schema_name, c.relname as table_name, c.oid::text as table_oid, c.relkind::text as kind,
      c.relpersistence = 't' as temporary, row_security_active(c.oid) as row_security,
      (select i.inhparent::regclass::text from pg_inherits i where i.inhrelid = c.oid and c.relispartition) as partition_of,
      array(select distinct d.refobjid::regclass::text from pg_rewrite w join pg_depend d on d.classid = 'pg_rewrite'::regclass
        and d.objid = w.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid where w.ev_class = c.oid) as reads,
      (select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(dlq.base_type(a.atttypid), null),
          'not_null', a.attnotnull, 'generated', a.attgenerated <> '',
          'has_default', a.attidentity <> '' or (a.atthasdef and a.attgenerated = '')) order by a.attnum), '[]')
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(jsonb_agg(jsonb_build_object('columns', k.columns, 'primary', i.indisprimary, 'not_null', k.not_null)
          order by i.indisprimary desc, i.indexrelid), '[]')
        from pg_index i cross join lateral (
          select jsonb_agg(a.attname order by u.n) as columns, bool_and(a.attnotnull) as not_null
          from unnest(i.indkey::smallint[]) with ordinality u (attnum, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = u.attnum
          where u.n <= i.indnkeyatts) k
        where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null) as keys,
      (select t.id from dlq.attached_table t where t.detached_at is null and dlq.attached_relation(t.id) = c.oid) as attached_id
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass(${name}::text)`);
  return rows[0] ?? null;
}

/** Relations whose names differ from `name` in capitals or schema only, quoted as SQL needs them. */
export async function tablesLike(db: Db | Tx, name: string): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$|dlq)'
      and lower(c.relname) = lower(regexp_replace(replace(${name}::text, '"', ''), '^.*[.]', ''))
    order by 1 limit 5`);
  return rows.map((row) => row.name);
}
