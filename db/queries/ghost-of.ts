import { sql } from 'drizzle-orm';
import type { Tx } from '@/db/client';

export interface GhostRow extends Record<string, unknown> {
  /** Hex EWKB in EPSG:4326. */
  wkb: string | null;
  shown: 'whole' | 'simplified' | 'outline' | null;
  error: string | null;
}

interface GhostInput {
  id: string;
  /** `AUTHORITY:code`. */
  crs: string;
  swapped: boolean;
  x_sign: 1 | -1;
  y_sign: 1 | -1;
  most_vertices: number;
}

/**
 * The geometry of an entry's current payload as if it were in `crs`. `bytes` is that geometry where it is kept by
 * reference. Null where there is no such entry.
 */
export async function ghostOf(
  tx: Tx,
  { id, crs, swapped, x_sign, y_sign, most_vertices }: GhostInput,
  bytes: Uint8Array | null,
): Promise<GhostRow | null> {
  const given = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { rows } = await tx.execute<GhostRow>(sql`
    select encode(ST_AsEWKB(h.geom), 'hex') as wkb, h.shown, coalesce(b.error, h.error) as error
    from dlq.entry e
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join spatial_ref_sys r on r.auth_name || ':' || r.auth_srid = ${crs}::text
    cross join lateral (select o.geom, o.error from dlq.geometry_of(${given}::bytea) o offset 0) b
    cross join lateral dlq.ghost(coalesce(p.geom, b.geom), r.srid, case when r.srid is null then ${crs}::text end,
      ${swapped}::boolean, ${x_sign}::integer, ${y_sign}::integer, ${most_vertices}::integer) h
    where e.id = ${id}::bigint
    limit 1`);
  return rows[0] ?? null;
}
