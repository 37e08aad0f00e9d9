import { z } from 'zod';

/** How ST_MakeValid decides what is inside: by the lines alone (even-odd), or by which ring is shell and which hole. */
export const REPAIR_METHODS = ['linework', 'structure'] as const;
export type RepairMethod = (typeof REPAIR_METHODS)[number];

/** What a repair may change and still count as within budget. */
export const LOSS_BUDGET = {
  /** Of the larger of both areas. */
  area_delta_pct: 0.1,
  /** Of the diagonal of the source's extent. */
  hausdorff_of_extent: 1e-6,
} as const;

/**
 * `none`: the same points of the plane. `within budget`: area and lines moved by no more than `LOSS_BUDGET`, and nothing else
 * was lost. `over budget`: see `loss_why`. `not measured`: nothing measured is over, but not all could be measured.
 */
export const LOSSES = ['none', 'within budget', 'over budget', 'not measured'] as const;
export type Loss = (typeof LOSSES)[number];

const figure = z.number().nullable();
const count = z.number().int().nullable();

/** What a repair would do. A preview: nothing of it is stored. Every figure is null where there is no repair. */
export const repairSchema = z.object({
  id: z.string(),
  method: z.enum(REPAIR_METHODS),
  /** The payload that it starts from. */
  payload_hash: z.string(),
  possible: z.boolean(),
  /** Why there is no repair: what it holds that ST_MakeValid does not take, that it takes too long, or PostGIS's own words. */
  why_not: z.string().nullable(),
  /** PostGIS found nothing to repair: the result is the geometry itself. */
  was_valid: z.boolean().nullable(),
  /** Hex EWKB in the source's CRS. */
  geom_wkb: z.string().nullable(),
  /** Why a repair that there is has no bytes here: too large for an answer. */
  geom_omitted: z.string().nullable(),
  /** Hex EWKB in EPSG:4326, by the database's PROJ. */
  reprojected_wkb: z.string().nullable(),
  reproject_error: z.string().nullable(),
  type_before: z.string().nullable(),
  type_after: z.string().nullable(),
  dims_before: z.string().nullable(),
  dims_after: z.string().nullable(),
  parts_before: count,
  parts_after: count,
  vertices_before: count,
  vertices_after: count,
  /** Vertices that are no numbers, which the repair leaves out. */
  vertices_dropped: count,
  /** In square source units: of each ring the signed shoelace sum, taken positive, holes taken off. The loops of a bow-tie cancel out. */
  area_before: figure,
  area_after: figure,
  /** Of area_before; null where that is 0. */
  area_delta_pct: figure,
  /** In square source units: what lies in one of both only. */
  area_difference: figure,
  /** What stood for an invalid source in area_difference: what its rings enclose by the even-odd rule. */
  area_difference_of: z.enum(['as_stored', 'even_odd_fill']).nullable(),
  area_difference_skipped: z.string().nullable(),
  /** Discrete Hausdorff distance of the lines, in source units and in metres at the place. */
  hausdorff: figure,
  hausdorff_m: figure,
  hausdorff_skipped: z.string().nullable(),
  loss: z.enum(LOSSES).nullable(),
  loss_why: z.array(z.string()),
  /** In words, with its figures. */
  budget: z.string(),
  /** PostGIS and GEOS that computed it. */
  computed_by: z.string().nullable(),
  elapsed_ms: z.number(),
});
export type Repair = z.infer<typeof repairSchema>;
