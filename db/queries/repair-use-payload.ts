import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/**
 * Makes a stored version the current payload; answers the new version of the state. The caller holds the entry's locks
 * (`lockEditable`) and acts as somebody (`asActor`).
 */
export async function usePayload(
  tx: Tx,
  { entry_id, payload_hash, change }: { entry_id: string; payload_hash: string; change: string },
): Promise<string> {
  const { rows } = await tx.execute<{ version: string }>(sql`
    select dlq.use_payload(${entry_id}::bigint, decode(${payload_hash}::text, 'hex'), ${change}::text)::text as version`);
  return (rows[0] as { version: string }).version;
}
