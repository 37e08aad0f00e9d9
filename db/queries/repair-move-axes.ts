import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

/** Which of a vertex's numbers is x, and with which sign: first the axes change places, then each gets its sign. */
export interface AxisMove {
  swapped: boolean;
  x_sign: 1 | -1;
  y_sign: 1 | -1;
}

/** The geometry with its axes so moved, every vertex kept, as EWKB; or why PostGIS reads the bytes as no geometry. */
export async function repairMoveAxes(
  tx: Tx,
  wkb: Uint8Array,
  { swapped, x_sign, y_sign }: AxisMove,
): Promise<{ wkb: Buffer } | { error: string }> {
  const { rows } = await tx.execute<{ moved: Buffer | null; error: string | null }>(sql`
    select ST_AsEWKB(ST_Scale(case when ${swapped}::boolean then ST_FlipCoordinates(o.geom) else o.geom end,
      ${x_sign}::float8, ${y_sign}::float8), 'NDR') as moved, o.error
    from dlq.geometry_of(${Buffer.from(wkb)}::bytea) o`);
  const row = rows[0];
  return row?.moved ? { wkb: row.moved } : { error: row?.error ?? 'the database answered nothing' };
}
