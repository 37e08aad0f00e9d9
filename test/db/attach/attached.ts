import type { Db } from '@/db/client';
import { countRows } from '@/db/queries/count-rows';
import { attach } from '@/lib/attach/attach';
import { backfill } from '@/lib/attach/backfill';
import { findTable } from '@/lib/attach/find-table';
import { proposeMapping } from '@/lib/attach/mapping';

/** The mapping of a table, as the command proposes it. */
export async function mappingOf(db: Db, name: string, map: Record<string, string> = {}, task_name?: string) {
  return proposeMapping(await findTable(db, name), { map: new Map(Object.entries(map)), task_name });
}

/** Puts a table under capture without reading what it held. */
export async function attachOnly(db: Db, name: string, map: Record<string, string> = {}): Promise<number> {
  return attach(db, (await mappingOf(db, name, map)).attachment);
}

/** Takes in what an attached table held, to the end. */
export async function takeIn(db: Db, id: number, name: string, chunk = 50) {
  const { schema_name, table_name } = await findTable(db, name);
  return backfill(db, id, { chunk, total: await countRows(db, schema_name, table_name), done: 0 });
}
