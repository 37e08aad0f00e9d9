import { z } from 'zod';

/** Bins of a trend: more would be finer than it is drawn. */
export const MAX_TREND_BINS = 60;

/**
 * How often the most frequent signatures failed over time, of the entries that match. All series have one axis: bin `i`
 * begins at `start` + `i` · `bin_s` seconds, and `bin_s` is whole days.
 */
export const signatureTrendsSchema = z.object({
  as_of: z.string(),
  /** Null where nothing that matches has a moment on the time axis. */
  start: z.string().nullable(),
  bin_s: z.number().int(),
  bins: z.number().int(),
  /** There were more entries than are read: only failures from this moment on are counted. Null where all are. */
  counted_from: z.string().nullable(),
  /** At most 200, the most frequent first. */
  items: z.array(
    z.object({
      signature: z.string(),
      counts: z.array(z.number().int()),
      /** The most frequent tasks, at most 5, and how many there are. */
      tasks: z.array(z.object({ task_name: z.string(), count: z.number().int() })),
      task_count: z.number().int(),
    }),
  ),
});
export type SignatureTrends = z.infer<typeof signatureTrendsSchema>;
