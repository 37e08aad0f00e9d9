import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type RepairDifferenceRow = {
  area: number | null;
  source_as: 'as_stored' | 'even_odd_fill';
  error: string | null;
};

/** Area of the symmetric difference of both geometries, and what stood for the first where it is invalid. */
export async function repairDifference(
  tx: Tx,
  before_wkb: Uint8Array,
  after_wkb: Uint8Array,
): Promise<RepairDifferenceRow> {
  const { rows } = await tx.execute<RepairDifferenceRow>(sql`
    select d.area, d.source_as, d.error
    from dlq.symmetric_difference_area(encode(${Buffer.from(before_wkb)}::bytea, 'hex')::geometry,
      encode(${Buffer.from(after_wkb)}::bytea, 'hex')::geometry) d`);
  return rows[0] as RepairDifferenceRow;
}
