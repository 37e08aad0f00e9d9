import { z } from 'zod';

export const RUN_STATUSES = ['running', 'failed', 'finished'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** In one report; a manifest may come in several. */
const MAX_TILES_A_REPORT = 1_000_000;

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const moment = z.iso.datetime({ offset: true });
const tiles = z.array(z.string()).max(MAX_TILES_A_REPORT);

/**
 * `POST /api/runs`: one report about a run of a task: its start, its progress or its end. Every member but run_id and
 * task_name can be left out, and reports can come late, twice or in another order.
 */
export const runReportSchema = z.strictObject({
  queue: z.string().min(1).max(200).optional(),
  run_id: z.string().min(1).max(500),
  task_name: z.string().min(1).max(500),
  code_version: z.string().max(500).nullish(),
  /** Left out: finished where finished_at or duration_ms is given, else running. */
  status: z.enum(RUN_STATUSES).nullish(),
  started_at: moment.nullish(),
  finished_at: moment.nullish(),
  duration_ms: z.number().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
  /** How many units the run has to do. */
  expected: count.nullish(),
  /** Which tiles it has to do, each as z/x/y. Several reports add up; without `expected` their number is what is expected. */
  tiles: tiles.nullish(),
  /** How many were done, or which tiles: of lists too several add up. */
  succeeded: z.union([count, tiles]).nullish(),
  dead_lettered: count.nullish(),
});
export type RunReport = z.infer<typeof runReportSchema>;

/** A run as it is known now. */
export const runSchema = z.object({
  queue: z.string(),
  run_id: z.string(),
  task_name: z.string(),
  code_version: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  /** The first report's moment where none was given. */
  started_at: z.string(),
  finished_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  expected: z.number().int().nullable(),
  /** How many tiles the manifest has; null where there is none. */
  tiles: z.number().int().nullable(),
  succeeded: z.number().int().nullable(),
  /** As the run reports it. */
  dead_lettered: z.number().int().nullable(),
  /** Entries of the queue and the task with an occurrence of this run: what really arrived here. */
  dead_letters: z.number().int(),
  /**
   * With a manifest whose successes were named: its tiles that neither succeeded nor are dead letters here, as in holes.
   * Else, and where more is expected than the manifest lists: expected − succeeded − dead_lettered (dead_letters where
   * that was not reported). Never below 0; null where nothing is expected.
   */
  missing: z.number().int().min(0).nullable(),
  /** Successes of tiles that the manifest does not list; where they are not known by name, units beyond those expected. */
  unexpected: z.number().int().min(0),
  updated_at: z.string(),
  reported_by: z.string(),
});
export type Run = z.infer<typeof runSchema>;

export const runListSchema = z.object({ items: z.array(runSchema), next_cursor: z.string().nullable() });
export type RunList = z.infer<typeof runListSchema>;

/** `GET /api/runs/{run_id}`: with the tiles of its manifest that neither succeeded nor are dead letters here. */
export const runDetailSchema = runSchema.extend({
  /** null where the run has no manifest, or where successes were counted that were not named. */
  holes: z
    .object({ total: z.number().int(), tiles: z.array(z.string()), next_cursor: z.string().nullable() })
    .nullable(),
});
export type RunDetail = z.infer<typeof runDetailSchema>;
