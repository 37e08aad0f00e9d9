import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface ItemToJudge {
  [column: string]: unknown;
  entry_id: string;
  task_name: string;
  code_version: string | null;
  params_jsonb: string | null;
  params_raw: Buffer | null;
  /** Whether its geometry lies in the blob store. */
  by_reference: boolean;
  /** Of the blob, null where it is not in the store. */
  blob_bytes: number | null;
}

/** The frozen items still eligible after `after`, in id order, with what decides whether each can be rebuilt. */
export async function itemsToJudge(tx: Tx, operation_id: string, after: string, limit: number): Promise<ItemToJudge[]> {
  const { rows } = await tx.execute<ItemToJudge>(sql`
    select i.entry_id, e.task_name, e.code_version, p.params::text as params_jsonb, p.params_raw,
      p.payload_ref is not null and p.geom_wkb is null as by_reference, b.size_bytes::float8 as blob_bytes
    from dlq.operation_item i
    join dlq.entry e on e.id = i.entry_id
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join dlq.blob b on b.sha256 = dlq.blob_of(p.payload_ref) and b.stored_at is not null
    where i.operation_id = ${operation_id}::bigint and i.outcome = 'waiting' and i.entry_id > ${after}::bigint
    order by i.entry_id
    limit ${limit}::integer`);
  return rows;
}
