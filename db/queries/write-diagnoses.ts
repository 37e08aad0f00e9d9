import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export interface DiagnosisInput {
  entry_id: string;
  tries: number;
  payload_hash: Buffer;
  unmappable_reason: string | null;
  reproject_error: string | null;
  /** As PROJ knows the claim: a number of spatial_ref_sys, else a text. */
  source_srid: number | null;
  source_text: string | null;
  /** Edges are straight in x and y of the source, not in degrees. */
  from_plane: boolean;
  valid: boolean | null;
  faults: unknown[];
  crs_verdict: string | null;
  also: string[];
  crs_reason: string | null;
  candidates: unknown[];
  suggestion: string | null;
  /** The registry's id of the claim, for its siblings; null where the claim has none. */
  claimed_id: string | null;
}

/**
 * Reprojects and records a batch; answers how many diagnoses were written. `geom_wkb` is the geometry of the payloads in
 * it that are kept by reference: of one at most. Everything is computed before the first row is locked (the entry, its
 * diagnosis, its state, as a capture does; then the examples for its siblings, which captures do not touch). A diagnosis
 * whose `tries` changed meanwhile was asked for anew by a capture with another payload: it is left to the next batch.
 */
export async function writeDiagnoses(
  tx: Tx,
  inputs: readonly DiagnosisInput[],
  { ruleset, geom_wkb }: { ruleset: number; geom_wkb: Uint8Array | null },
): Promise<number> {
  const bytes = geom_wkb && Buffer.from(geom_wkb.buffer, geom_wkb.byteOffset, geom_wkb.byteLength);
  const column = <K extends keyof DiagnosisInput>(name: K) => sql.param(inputs.map((input) => input[name]));
  const json = <K extends keyof DiagnosisInput>(name: K) =>
    sql.param(inputs.map((input) => (input[name] === null ? null : JSON.stringify(input[name]))));
  const { rows } = await tx.execute<{ written: number }>(sql`
    with input as (
      select * from unnest(
        ${column('entry_id')}::bigint[], ${column('tries')}::smallint[], ${column('payload_hash')}::bytea[],
        ${column('unmappable_reason')}::text[], ${column('reproject_error')}::text[], ${column('source_srid')}::integer[],
        ${column('source_text')}::text[], ${column('from_plane')}::boolean[], ${column('valid')}::boolean[], ${json('faults')}::jsonb[],
        ${column('crs_verdict')}::text[], ${json('also')}::jsonb[], ${column('crs_reason')}::text[], ${json('candidates')}::jsonb[],
        ${json('suggestion')}::jsonb[], ${column('claimed_id')}::text[]
      ) as i (entry_id, tries, payload_hash, unmappable_reason, reproject_error, source_srid, source_text, from_plane, valid, faults,
        crs_verdict, also, crs_reason, candidates, suggestion, claimed_id)
    ), computed as materialized (
      select i.entry_id, i.tries, i.payload_hash, i.valid, i.crs_verdict, i.also, i.crs_reason, i.candidates, i.suggestion, i.claimed_id,
        p.source_uris, p.edited_by, l.footprint, l.outline, l.cell, l.tile_distance_m,
        coalesce(i.unmappable_reason, l.unmappable_reason) as unmappable_reason, coalesce(i.reproject_error, l.error) as reproject_error,
        i.faults || coalesce((select jsonb_agg(n) from jsonb_array_elements(l.notes) n
          where not exists (select 1 from jsonb_array_elements(i.faults) f where f -> 'code' = n -> 'code')), '[]') as faults
      from input i
      join dlq.payload p on p.entry_id = i.entry_id and p.payload_hash = i.payload_hash
      cross join lateral (
        select coalesce(p.geom, b.geom) as geom
        from dlq.geometry_of(case when i.unmappable_reason is null and p.geom_wkb is null and p.payload_ref is not null then ${bytes}::bytea end) b
        offset 0
      ) g
      -- a join's condition is tested after its function has run: what must not be tried is given no geometry
      cross join lateral dlq.locate_footprint(case when i.unmappable_reason is null then g.geom end, i.source_srid, i.source_text, i.from_plane,
        case when coalesce(p.tile_matrix_set, 'WebMercatorQuad') = 'WebMercatorQuad' then p.tile_z::integer end, p.tile_x, p.tile_y) l
    ), locked as materialized (
      -- as they are now, not as the snapshot had them: a capture may have changed them while this was computed
      select e.id, e.payload_hash, e.queue, e.failure_class, e.error_class, e.task_name, e.code_version, e.signature, e.sensitive
      from dlq.entry e where e.id in (select entry_id from computed) order by e.work_key collate "C" for no key update
    ), diagnosed as (
      update dlq.diagnosis d set payload_hash = c.payload_hash, valid = c.valid, faults = c.faults, footprint = c.footprint,
        outline = c.outline, unmappable_reason = c.unmappable_reason, reproject_error = c.reproject_error, crs_verdict = c.crs_verdict,
        also = array(select jsonb_array_elements_text(c.also)), crs_reason = c.crs_reason, candidates = c.candidates, suggestion = c.suggestion,
        tries = 0, ruleset = ${ruleset}::smallint, diagnosed_at = clock_timestamp()
      from computed c join locked l on l.id = c.entry_id and l.payload_hash = c.payload_hash
      where d.entry_id = c.entry_id and d.tries = c.tries
      returning d.entry_id
    ), placed as (
      update dlq.state s set cell = c.cell, public_cell = dlq.public_cell_of(c.cell, l.sensitive), tile_distance_m = c.tile_distance_m,
        combo = dlq.combo_of(l.queue, l.failure_class, l.error_class, l.task_name, p.src_crs, p.srid, l.code_version, l.signature,
          c.crs_verdict, c.unmappable_reason, l.sensitive)
      from diagnosed d
      join computed c on c.entry_id = d.entry_id
      join locked l on l.id = d.entry_id
      join dlq.payload p on p.entry_id = l.id and p.payload_hash = l.payload_hash
      where s.entry_id = d.entry_id
      returning s.entry_id
    ), example as materialized (
      select dlq.sibling_key(l.task_name, c.source_uris) as sibling_key, dlq.sibling_slot(c.entry_id) as slot, c.entry_id, c.claimed_id as crs,
        coalesce(c.crs_verdict = 'agrees', false) as agrees, dlq.cell_lon(c.cell) as lon, dlq.cell_lat(c.cell) as lat,
        c.claimed_id is not null and not l.sensitive and (coalesce(c.crs_verdict = 'agrees', false) or c.edited_by is not null) as counts
      from placed d join computed c on c.entry_id = d.entry_id join locked l on l.id = d.entry_id
    ), noted as (
      -- in one order, so that two workers wait for each other, never in a circle. A slot is not written more than once a
      -- minute: busy tasks would only make dead rows. One that counts no more leaves its slot without a CRS.
      insert into dlq.sibling as b (sibling_key, slot, entry_id, crs, agrees, lon, lat)
        select distinct on (x.sibling_key, x.slot) x.sibling_key, x.slot, x.entry_id, case when x.counts then x.crs end, x.counts and x.agrees,
          x.lon, x.lat
        from example x
        where case when x.counts then not exists (select from dlq.sibling b where b.sibling_key = x.sibling_key and b.slot = x.slot
            and b.entry_id <> x.entry_id and b.agrees and b.noted_at > clock_timestamp() - interval '1 minute')
          else exists (select from dlq.sibling b where b.sibling_key = x.sibling_key and b.slot = x.slot and b.entry_id = x.entry_id) end
        order by x.sibling_key, x.slot, x.counts desc, x.entry_id desc
        on conflict (sibling_key, slot) do update set entry_id = excluded.entry_id, crs = excluded.crs, agrees = excluded.agrees,
          lon = excluded.lon, lat = excluded.lat, noted_at = excluded.noted_at
        where excluded.crs is not null or b.entry_id = excluded.entry_id
    )
    select count(*)::integer as written from placed`);
  return rows[0]?.written ?? 0;
}
