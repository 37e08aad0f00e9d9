import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface DiagnosisInput {
  entry_id: string;
  tries: number;
  payload_hash: Buffer;
  unmappable_reason: string | null;
  reproject_error: string | null;
  source_srid: number | null;
  source_text: string | null;
  faults: unknown[];
}

/**
 * Reprojects, validates and records a batch; answers how many diagnoses were written. `geom_wkb` is the geometry of the
 * payloads in it that are kept by reference: of one at most. Everything is computed before the
 * first row is locked (the entry, its diagnosis, its state, as a capture does). A diagnosis whose `tries` changed meanwhile
 * was asked for anew by a capture with another payload: it is left to the next batch.
 */
export async function writeDiagnoses(
  tx: Tx,
  inputs: readonly DiagnosisInput[],
  geom_wkb: Uint8Array | null,
): Promise<number> {
  const bytes = geom_wkb && Buffer.from(geom_wkb.buffer, geom_wkb.byteOffset, geom_wkb.byteLength);
  const column = <K extends keyof DiagnosisInput>(name: K) => inputs.map((input) => input[name]);
  const { rows } = await tx.execute<{ written: number }>(sql`
    with input as (
      select * from unnest(
        ${sql.param(column('entry_id'))}::bigint[], ${sql.param(column('tries'))}::smallint[],
        ${sql.param(column('payload_hash'))}::bytea[], ${sql.param(column('unmappable_reason'))}::text[],
        ${sql.param(column('reproject_error'))}::text[], ${sql.param(column('source_srid'))}::integer[],
        ${sql.param(column('source_text'))}::text[], ${sql.param(inputs.map((input) => JSON.stringify(input.faults)))}::jsonb[]
      ) as i (entry_id, tries, payload_hash, unmappable_reason, reproject_error, source_srid, source_text, faults)
    ), texts as materialized (
      -- a text that PROJ cannot read costs 0.2 s each time it is tried: once a batch, not once a row
      select t.source_text, dlq.crs_text_error(t.source_text) as error
      from (select distinct source_text from input where source_text is not null and source_srid is null) t
    ), computed as materialized (
      select i.entry_id, i.tries, i.payload_hash, v.valid, v.reason,
        l.footprint, l.outline, l.cell, l.tile_distance_m, l.crosses_antimeridian,
        coalesce(i.unmappable_reason, case when g.error is not null then 'unreadable' when x.error is not null then 'unknown_crs' end,
          l.unmappable_reason) as unmappable_reason,
        coalesce(i.reproject_error, g.error, x.error, l.error) as reproject_error,
        i.faults
          || case when v.valid is false and not exists (
              select 1 from jsonb_array_elements(i.faults) f where f ->> 'code' = dlq.fault_code(v.reason))
            then jsonb_build_array(jsonb_build_object('code', coalesce(dlq.fault_code(v.reason), 'self_intersection'), 'path', null,
              'at', case when v.at_x is not null and v.at_y is not null then jsonb_build_array(v.at_x, v.at_y) end,
              'message', v.reason, 'severity', 'fails')) else '[]' end
          || case when l.crosses_antimeridian then jsonb_build_array(jsonb_build_object('code', 'crosses_antimeridian', 'path', null,
              'at', null, 'message', 'an edge crosses 180°: drawn split there', 'severity', 'note')) else '[]' end as faults
      from (select input.*, coalesce(source_srid, r.srid) as known_srid from input
        left join spatial_ref_sys r on r.auth_name || ':' || r.auth_srid = upper(input.source_text)) i
      join dlq.payload p on p.entry_id = i.entry_id and p.payload_hash = i.payload_hash
      cross join lateral (
        select coalesce(p.geom, b.geom) as geom, b.error
        from dlq.geometry_of(case when p.geom_wkb is null and p.payload_ref is not null then ${bytes}::bytea end) b offset 0
      ) g
      left join texts x on x.source_text = i.source_text
      cross join lateral dlq.validity(case when i.unmappable_reason is distinct from 'non_finite' then g.geom end) v
      -- a join's condition is tested after its function has run: what must not be tried is given no geometry
      cross join lateral dlq.locate(case when i.unmappable_reason is null and x.error is null then g.geom end,
        i.known_srid, case when i.known_srid is null then i.source_text end,
        case when coalesce(p.tile_matrix_set, 'WebMercatorQuad') = 'WebMercatorQuad' then p.tile_z::integer end, p.tile_x, p.tile_y) l
      order by i.known_srid, i.source_text, i.entry_id
    ), locked as materialized (
      -- as they are now, not as the snapshot had them: a capture may have changed them while this was computed
      select e.id, e.payload_hash, e.queue, e.failure_class, e.error_class, e.task_name, e.code_version, e.signature, e.sensitive
      from dlq.entry e where e.id in (select entry_id from computed) order by e.work_key collate "C" for no key update
    ), diagnosed as (
      update dlq.diagnosis d set payload_hash = c.payload_hash, valid = c.valid, faults = c.faults, footprint = c.footprint,
        outline = c.outline, unmappable_reason = c.unmappable_reason, reproject_error = c.reproject_error,
        tries = 0, diagnosed_at = clock_timestamp()
      from computed c join locked l on l.id = c.entry_id and l.payload_hash = c.payload_hash
      where d.entry_id = c.entry_id and d.tries = c.tries
      returning d.entry_id, d.crs_verdict
    ), placed as (
      update dlq.state s set cell = c.cell, public_cell = dlq.public_cell_of(c.cell, l.sensitive), tile_distance_m = c.tile_distance_m,
        combo = dlq.combo_of(l.queue, l.failure_class, l.error_class, l.task_name, p.src_crs, p.srid, l.code_version, l.signature,
          d.crs_verdict, c.unmappable_reason, l.sensitive)
      from diagnosed d
      join computed c on c.entry_id = d.entry_id
      join locked l on l.id = d.entry_id
      join dlq.payload p on p.entry_id = l.id and p.payload_hash = l.payload_hash
      where s.entry_id = d.entry_id
      returning s.entry_id
    )
    select count(*)::integer as written from placed`);
  return rows[0]?.written ?? 0;
}
