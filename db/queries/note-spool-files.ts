import { sql } from 'drizzle-orm';
import type { Db } from '../client';
import { listLoadedFiles } from './list-loaded-files';

export interface ListedFile {
  name: string;
  size_bytes: number;
  modified_at: string;
}

/**
 * Tells the table what a look at a source found, and answers the names of those that are loaded already. A loaded file
 * that grew is read on; one that changed without growing, or stands where the loaded one was moved away from, is read from
 * its start, where replayed captures count once.
 * Locks and writes only what changed: every worker asks every two seconds.
 */
export async function noteSpoolFiles(
  db: Db,
  { url: source, moves_loaded = false }: { url: string; moves_loaded?: boolean },
  files: readonly ListedFile[],
): Promise<Set<string>> {
  const names = sql.param(files.map(({ name }) => name));
  const sizes = sql.param(files.map(({ size_bytes }) => size_bytes));
  const moments = sql.param(files.map(({ modified_at }) => modified_at));
  return db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into dlq.spool_file as f (source, name, size_bytes, modified_at)
      select ${source}::text, x.name, x.size_bytes, x.modified_at
      from unnest(${names}::text[], ${sizes}::bigint[], ${moments}::timestamptz[]) as x (name, size_bytes, modified_at)
      left join dlq.spool_file f on f.source = ${source}::text and f.name = x.name
      where f.id is null or f.state = 'missing' or (f.size_bytes, f.modified_at) is distinct from (x.size_bytes, x.modified_at)
      order by x.name collate "C"
      on conflict (source, name) do update set
        size_bytes = excluded.size_bytes, modified_at = excluded.modified_at,
        done_bytes = case when f.state = 'loaded' and (${moves_loaded}::boolean or excluded.size_bytes <= f.size_bytes) then 0 else f.done_bytes end,
        state = case when f.state in ('loaded', 'missing') then 'waiting' else f.state end
      where (f.size_bytes, f.modified_at) is distinct from (excluded.size_bytes, excluded.modified_at) or f.state = 'missing'`);
    await tx.execute(sql`
      update dlq.spool_file set state = 'missing', worker = null, lease_until = null
      where source = ${source}::text and name <> all (${names}::text[])
        and (state in ('waiting', 'failed') or (state = 'loading' and lease_until < clock_timestamp()))`);
    return listLoadedFiles(
      tx,
      source,
      files.map(({ name }) => name),
    );
  });
}
