import { sql } from 'drizzle-orm';
import type { Tx } from '../client';

export type RepairMeasureRow = {
  valid_before: boolean | null;
  type_before: string;
  type_after: string;
  /** Of polygons: each ring's signed shoelace sum, its sign dropped, holes taken off. 0 where a ring's loops cancel out. */
  area_before: number;
  area_after: number;
  parts_before: number;
  parts_after: number;
  vertices_before: number;
  vertices_after: number;
  /** 0 points, 1 lines, 2 polygons: of all parts, and of the least. */
  dimension_before: number;
  dimension_after: number;
  least_dimension_after: number | null;
  dims_before: string;
  dims_after: string;
  empty_after: boolean;
};

/** What a repair did to the shape, as far as counting goes: linear in the vertices. */
export async function repairMeasure(tx: Tx, before_wkb: Uint8Array, after_wkb: Uint8Array): Promise<RepairMeasureRow> {
  const { rows } = await tx.execute<RepairMeasureRow>(sql`
    with shapes as materialized (
      select encode(${Buffer.from(before_wkb)}::bytea, 'hex')::geometry as b, encode(${Buffer.from(after_wkb)}::bytea, 'hex')::geometry as a
    )
    select v.valid as valid_before, GeometryType(b) as type_before, GeometryType(a) as type_after,
      ST_Area(b) as area_before, ST_Area(a) as area_after,
      (select count(*)::integer from ST_Dump(b)) as parts_before, (select count(*)::integer from ST_Dump(a)) as parts_after,
      ST_NPoints(b) as vertices_before, ST_NPoints(a) as vertices_after,
      ST_Dimension(b) as dimension_before, ST_Dimension(a) as dimension_after,
      (select min(ST_Dimension(d.geom)) from ST_Dump(a) d) as least_dimension_after,
      case ST_Zmflag(b) when 0 then 'XY' when 1 then 'XYM' when 2 then 'XYZ' else 'XYZM' end as dims_before,
      case ST_Zmflag(a) when 0 then 'XY' when 1 then 'XYM' when 2 then 'XYZ' else 'XYZM' end as dims_after,
      ST_IsEmpty(a) as empty_after
    from shapes, dlq.validity(b) v`);
  return rows[0] as RepairMeasureRow;
}
