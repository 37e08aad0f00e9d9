import { sql } from 'drizzle-orm';
import type { Db, Tx } from '@/db/client';
import { positionFor } from '@/db/position-sql';
import type { Role } from '@/lib/dead-letter/vocabulary';

export interface EvidenceRow extends Record<string, unknown> {
  id: string;
  sensitive: boolean;
  /** Whether the role sees the true position; the footprint would tell it. */
  placed: boolean;
  geom_wkb: string | null;
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
  reprojected_bytes: number | null;
  reproject_error: string | null;
  diagnosed_at: string | null;
}

/**
 * The current payload's bytes and what was computed from them, as hex, each left out over `limit_bytes`: null then, with
 * its size beside it. A diagnosis of an earlier payload is not given for this one.
 */
export async function getEvidenceRow(
  db: Db | Tx,
  id: string,
  role: Role,
  limit_bytes: number,
): Promise<EvidenceRow | null> {
  const { rows } = await db.execute<EvidenceRow>(sql`
    select e.id::text as id, e.sensitive, coalesce(${positionFor(role)} = s.cell, false) as placed,
      case when octet_length(p.geom_wkb) <= ${limit_bytes}::integer then encode(p.geom_wkb, 'hex') end as geom_wkb,
      octet_length(p.geom_wkb) as geom_bytes, p.payload_ref, p.geom_format, p.geom_given is not null as geom_given, d.valid,
      case when d.entry_id is null then 'not_diagnosed' else d.unmappable_reason end as unmappable_reason,
      coalesce(d.faults, '[]') as faults, d.crs_verdict, d.also, d.crs_reason, coalesce(d.candidates, '[]') as candidates,
      d.suggestion #>> '{}' as suggestion,
      case when octet_length(f.wkb) <= ${limit_bytes}::integer then encode(f.wkb, 'hex') end as reprojected_wkb,
      octet_length(f.wkb) as reprojected_bytes, d.reproject_error, dlq.iso(d.diagnosed_at) as diagnosed_at
    from dlq.entry e
    join dlq.state s on s.entry_id = e.id
    join dlq.payload p on p.entry_id = e.id and p.payload_hash = e.payload_hash
    left join dlq.diagnosis d on d.entry_id = e.id and d.payload_hash = e.payload_hash and d.diagnosed_at is not null
    left join lateral (select ST_AsEWKB(d.footprint) as wkb offset 0) f on true
    where e.id = ${id}::bigint`);
  return rows[0] ?? null;
}
