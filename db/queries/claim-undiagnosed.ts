import { sql } from 'drizzle-orm';
import type { Db } from '../client';

export interface UndiagnosedRow {
  [column: string]: unknown;
  entry_id: string;
  tries: number;
  payload_hash: Buffer;
  geom_wkb: Buffer | null;
  has_geom: boolean;
  geom_error: string | null;
  geom_given: string | null;
  srid: number | null;
  src_crs: string | null;
  payload_ref: string | null;
  geom_format: string | null;
  target_crs: string | null;
  tile_z: number | null;
  tile_x: number | null;
  tile_y: number | null;
  tile_matrix_set: string | null;
  source_window: unknown;
  /** Of the params `bbox` or `bounds`, whatever they are. */
  params_box: unknown;
  /** Of the window, else of the params. */
  raster_width: unknown;
  raster_height: unknown;
  sibling_key: string;
}

/** What a diagnosis needs of an entry `e` and its current payload `p`. */
export const UNDIAGNOSED_COLUMNS = sql`e.payload_hash, p.geom_wkb, p.geom is not null as has_geom, p.geom_error,
  left(p.geom_given, 1) as geom_given, p.srid, p.src_crs, p.payload_ref, p.geom_format, p.target_crs, p.tile_z, p.tile_x, p.tile_y,
  p.tile_matrix_set, p.source_window, coalesce(p.params -> 'bbox', p.params -> 'bounds') as params_box,
  coalesce(p.source_window -> 'raster_width', p.params -> 'raster_width') as raster_width,
  coalesce(p.source_window -> 'raster_height', p.params -> 'raster_height') as raster_height,
  dlq.sibling_key(e.task_name, p.source_uris)::text as sibling_key`;

/**
 * Takes up to `limit` entries that wait for a diagnosis, oldest first, and counts the try: a geometry that brings its
 * session down is then tried alone (`alone`: those tried before), and not for ever.
 * Those whose geometry lies in the blob store are left out on request. Locks the diagnosis rows it takes, skipping locked ones.
 */
export async function claimUndiagnosed(
  db: Db,
  limit: number,
  { alone, referenced }: { alone: boolean; referenced: boolean },
): Promise<UndiagnosedRow[]> {
  const { rows } = await db.execute<UndiagnosedRow>(sql`
    with waiting as (
      select d.entry_id from dlq.diagnosis d
      where d.diagnosed_at is null and (case when ${alone}::boolean then d.tries > 0 else d.tries = 0 end)
        and (${referenced}::boolean or not exists (
          select 1 from dlq.entry e join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
          where e.id = d.entry_id and p.payload_ref is not null and p.geom_wkb is null))
      order by d.entry_id
      limit ${limit}::integer
      for update skip locked
    ), taken as (
      update dlq.diagnosis d set tries = d.tries + 1 from waiting w where d.entry_id = w.entry_id
      returning d.entry_id, d.tries
    )
    select t.entry_id, t.tries, ${UNDIAGNOSED_COLUMNS}
    from taken t
    join dlq.entry e on e.id = t.entry_id
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    order by t.entry_id`);
  return rows;
}
