import { z } from 'zod';

/** One row of the list. Times are ISO 8601 UTC; ids are strings. */
export const listItemSchema = z.object({
  id: z.string(),
  work_key: z.string(),
  /**
   * Where `work_key` had to be derived, since another task has the key that was given or it is too long: the given one,
   * cut to 2,000 characters.
   */
  given_key: z.string().nullable(),
  task_name: z.string(),
  queue: z.string(),
  failure_class: z.string(),
  error_class: z.string(),
  error_type: z.string().nullable(),
  /** The error's text cut to 300 characters. */
  error_text: z.string().nullable(),
  signature: z.string(),
  state: z.string(),
  resolution: z.string().nullable(),
  attempts: z.number().int(),
  reopen_count: z.number().int(),
  redrive_attempts: z.number().int(),
  max_redrives: z.number().int(),
  src_crs: z.string().nullable(),
  srid: z.number().int().nullable(),
  code_version: z.string().nullable(),
  crs_verdict: z.string().nullable(),
  unmappable_reason: z.string().nullable(),
  /** Kinds of its faults, what makes the geometry fail first. */
  fault_codes: z.array(z.string()),
  /** Faults of all kinds; the list of them can be longer where it was capped. */
  fault_count: z.number().int(),
  /** [lon, lat] of the position the asker may see, or null. */
  position: z.tuple([z.number(), z.number()]).nullable(),
  tile_distance_m: z.number().nullable(),
  first_seen: z.string(),
  failed_at: z.string(),
  version: z.string(),
});
export type ListItem = z.infer<typeof listItemSchema>;

export const facetValueSchema = z.object({ value: z.string().nullable(), count: z.number().int() });
export type FacetValue = z.infer<typeof facetValueSchema>;

/** The facets of the rail, in its order. Each counts without its own condition. */
export const FACETS = [
  'failure_class',
  'error_class',
  'crs_verdict',
  'src_crs',
  'srid',
  'task_name',
  'state',
  'code_version',
  'signature',
  'queue',
] as const;
export type Facet = (typeof FACETS)[number];

export const triageSchema = z.object({
  as_of: z.string(),
  /** More entries have the words (or what else the database alone looks up) than were counted: every count means “at least”. */
  capped: z.boolean(),
  /** Entries that match the filter. */
  total: z.number().int(),
  /** Entries not resolved, whatever the filter. */
  depth: z.number().int(),
  /** Per facet the most frequent values (at most 50) and the number of distinct ones. */
  facets: z.record(z.enum(FACETS), z.object({ values: z.array(facetValueSchema), distinct: z.number().int() })),
  /** Captured per UTC day (or per bin of `bin_s` seconds), by class; `since` and `until` do not narrow it. */
  histogram: z.object({
    bin_s: z.number().int(),
    bins: z.array(z.object({ start: z.string(), counts: z.record(z.string(), z.number().int()) })),
    /** The first capture of each code version: the marks. */
    versions: z.array(z.object({ code_version: z.string(), first_seen: z.string() })),
  }),
  signatures: z.array(
    z.object({
      signature: z.string(),
      count: z.number().int(),
      failure_class: z.string(),
      error_type: z.string().nullable(),
      /** The normalised text: numbers, ids, paths and coordinates replaced. */
      error_text: z.string().nullable(),
      first_seen: z.string(),
      failed_at: z.string(),
      example_id: z.string(),
    }),
  ),
  not_mapped: z.object({
    total: z.number().int(),
    reasons: z.array(z.object({ reason: z.string(), count: z.number().int() })),
  }),
  /** [west, south, east, north] of all matching positions, or null. */
  extent: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  /** Where most of them lie (the shortest 80 % of each axis; west > east crosses 180°): where to look first. */
  focus: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
  items: z.array(listItemSchema),
  next_cursor: z.string().nullable(),
  prev_cursor: z.string().nullable(),
});
export type Triage = z.infer<typeof triageSchema>;

/** The facet of `fault`, of which an entry can have several: counted in SQL, by an address of its own. */
export const faultFacetSchema = z.object({
  values: z.array(z.object({ value: z.string(), count: z.number().int() })),
  distinct: z.number().int(),
  /** There were more entries than are counted: each count means “at least”, and a rare kind may not be there. */
  capped: z.boolean(),
});
export type FaultFacet = z.infer<typeof faultFacetSchema>;

/** Both cursors go into `cursor`: the page behind this one, and the one before it; null where there is none. */
export const listSchema = z.object({
  items: z.array(listItemSchema),
  next_cursor: z.string().nullable(),
  prev_cursor: z.string().nullable(),
});
export type List = z.infer<typeof listSchema>;

/** Ties go by id. Without a distance to the tile an entry stands last, in both directions. */
export const SORTS = ['failed_at', 'first_seen', 'attempts', 'tile_distance'] as const;
export type Sort = (typeof SORTS)[number];
/** The orders in which the list can be entered at a moment. */
export const TIME_SORTS = ['failed_at', 'first_seen'] as const satisfies readonly Sort[];
export type TimeSort = (typeof TIME_SORTS)[number];
export const isTimeSort = (sort: Sort): sort is TimeSort => (TIME_SORTS as readonly Sort[]).includes(sort);

/**
 * MVT layers of `/api/tiles/{z}/{x}/{y}`.
 * `cells` (z ≤ 11): a point for each grid cell five zooms deeper; `total`, one count per class present
 *   (`invalid_geometry`, …, `other`), `reopened` (count), `cell` ("z/x/y").
 * `points` (z 12 and up): a point an entry, whose id is the feature's; `failure_class`, `reopened` (0/1), `state`. At
 *   most 4,000 a tile.
 * `outlines` (z ≥ 13, when at most 500 match): the footprint, with the same id and fields.
 */
export const TILE_LAYERS = { cells: 'cells', points: 'points', outlines: 'outlines' } as const;
export const CELLS_MAX_ZOOM = 11;
export const CELL_ZOOM_OFFSET = 5;
