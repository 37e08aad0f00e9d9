import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { positionFor } from '@/db/position-sql';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface EvidenceRow extends Record<string, unknown> {
  id: string;
  sensitive: boolean;
  /** Whether the role sees the true position; the footprint would tell it. */
  placed: boolean;
  payload_hash: string;
  src_crs: string | null;
  srid: number | null;
  geom_wkb: Buffer | null;
  geom_bytes: number | null;
  payload_ref: string | null;
  geom_format: string | null;
  geom_given: boolean;
  valid: boolean | null;
  unmappable_reason: string | null;
  faults: unknown;
  crs_verdict: string | null;
  also: string[] | null;
  crs_reason: string | null;
  candidates: unknown;
  suggestion: string | null;
  reprojected_wkb: string | null;
  /** About, where it is left out. */
  reprojected_bytes: number | null;
  reproject_error: string | null;
  diagnosed_at: string | null;
}

/**
 * The current payload's bytes and what was computed from them. The geometry is left out over `most_bytes`, its
 * reprojection (hex) over `inline_bytes`: null then, with its size beside it. A diagnosis of an earlier payload is not
 * given for this one.
 */
export async function getEvidenceRow(
  db: Db | Tx,
  id: string,
  role: Role,
  { most_bytes, inline_bytes }: { most_bytes: number; inline_bytes: number },
): Promise<EvidenceRow | null> {
  const { rows } = await db.execute<EvidenceRow>(sql`
    select e.id::text as id, e.sensitive, encode(e.payload_hash, 'hex') as payload_hash, p.src_crs, p.srid, coalesce(${positionFor(role)} = s.cell, false) as placed,
      case when octet_length(p.geom_wkb) <= ${most_bytes}::integer then p.geom_wkb end as geom_wkb,
      octet_length(p.geom_wkb) as geom_bytes, p.payload_ref, p.geom_format, p.geom_given is not null as geom_given, d.valid,
      case when d.entry_id is null then 'not_diagnosed' else d.unmappable_reason end as unmappable_reason,
      coalesce(d.faults, '[]') as faults, d.crs_verdict, d.also, d.crs_reason, coalesce(d.candidates, '[]') as candidates,
      d.suggestion #>> '{}' as suggestion,
      encode(f.wkb, 'hex') as reprojected_wkb,
      f.bytes as reprojected_bytes, d.reproject_error, dlq.iso(d.diagnosed_at) as diagnosed_at
    from dlq.entry e
    join dlq.state s on s.entry_id = e.id
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join dlq.diagnosis d on d.entry_id = e.id and d.payload_hash = e.payload_hash and d.diagnosed_at is not null
    left join lateral (
      -- stored, it is hardly larger than its EWKB (a box and padding): one that is too large is not read
      select case when stored > ${inline_bytes}::integer + 1024 then stored else octet_length(w.wkb) end as bytes,
        case when octet_length(w.wkb) <= ${inline_bytes}::integer then w.wkb end as wkb
      from (select pg_column_size(d.footprint) as stored offset 0) z
      cross join lateral (select case when stored <= ${inline_bytes}::integer + 1024 then ST_AsEWKB(d.footprint) end as wkb offset 0) w
    ) f on true
    where e.id = ${id}::bigint`);
  return rows[0] ?? null;
}
