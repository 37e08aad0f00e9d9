import type { Db } from '@/db/client';
import { describeTable, type TableFacts, tablesLike } from '@/db/queries/describe-table';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';

const SEED_TABLES = ['public.geotask_dlq', 'public.failed_geotasks'];

/** The table of that name, as it can be put under capture. @throws DlqError with the reason why it cannot. */
export async function findTable(db: Db, name: string): Promise<TableFacts> {
  const facts = await describe(db, name);
  if (!facts) {
    const like = await tablesLike(db, name);
    throw new DlqError(
      'not_found',
      `there is no table ${name}${like.length > 0 ? `; did you mean ${like.join(' or ')}? (quote names with capitals as here)` : ' on this search path: name its schema'}`,
    );
  }
  const refused = refusal(facts);
  if (refused) throw new DlqError('unprocessable', `${facts.schema_name}.${facts.table_name} ${refused}`);
  return facts;
}

/** Null too for what is no name in SQL, `Dead Tiles` without its quotes. */
async function describe(db: Db, name: string): Promise<TableFacts | null> {
  try {
    return await describeTable(db, name);
  } catch (error) {
    const code = sqlStateOf(error);
    if (['42P01', '42883', '3F000'].includes(code))
      throw new DlqError('unprocessable', 'this database has no queue of this version: run dlo migrate first');
    if (!['42601', '42602', '0A000'].includes(code)) throw error;
    return null;
  }
}

function refusal(facts: TableFacts): string | null {
  if (facts.kind === 'v' || facts.kind === 'm')
    return `is a view: it holds no rows of its own that a trigger could see. Attach the table behind it${facts.reads.length > 0 ? `: ${facts.reads.join(', ')}` : ''}`;
  if (facts.kind === 'f') return 'is a foreign table: attach it in the database that holds it';
  if (facts.kind !== 'r' && facts.kind !== 'p') return 'is no table';
  if (facts.temporary) return 'is a temporary table: it ends with its session';
  if (facts.partition_of) return `is a partition of ${facts.partition_of}: attach that one`;
  if (/^(pg_|information_schema$|dlq)/.test(facts.schema_name)) return 'is a table of the system or of this product';
  if (SEED_TABLES.includes(`${facts.schema_name}.${facts.table_name}`))
    return 'is under capture already: it came with the product';
  if (facts.row_security) return 'has row security that hides rows from this role: connect as its owner';
  return null;
}
