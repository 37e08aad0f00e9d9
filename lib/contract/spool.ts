import { z } from 'zod';

export const SPOOL_FILE_STATES = ['waiting', 'loading', 'loaded', 'failed', 'missing'] as const;

/** A source that is or was watched, and what waits in it. */
export const spoolSourceSchema = z.object({
  /** The folder, or s3://bucket/prefix. */
  url: z.string(),
  kind: z.enum(['directory', 'bucket']),
  reachable: z.boolean(),
  error: z.string().nullable(),
  /** True: a full disk takes both the database and its spool. Null: the server does not say where its data lies. */
  same_filesystem: z.boolean().nullable(),
  looked_at: z.string(),
  /** False: no worker looks there any more, so the rest is what the last look found. */
  is_watched: z.boolean(),
  waiting_files: z.number().int(),
  waiting_bytes: z.number(),
  oldest_waiting_at: z.string().nullable(),
});
export type SpoolSourceState = z.infer<typeof spoolSourceSchema>;

export const spoolFileSchema = z.object({
  id: z.string(),
  source: z.string(),
  name: z.string(),
  size_bytes: z.number(),
  done_bytes: z.number(),
  lines: z.number(),
  /** Captures that counted. */
  stored: z.number(),
  /** Captures that had been counted before. */
  duplicates: z.number(),
  rejected: z.number(),
  /** Where its rejected lines are kept whole, on the machine that loaded it. */
  side_file: z.string().nullable(),
  state: z.enum(SPOOL_FILE_STATES),
  error: z.string().nullable(),
  /** Of a failed one: from then on the worker that watches its source tries it again by itself. */
  retry_at: z.string().nullable(),
  first_seen_at: z.string(),
  loaded_at: z.string().nullable(),
});
export type SpoolFileState = z.infer<typeof spoolFileSchema>;

/** `GET /api/spool`: the sources, a page of the files (newest first), and how many lines were not taken. */
export const spoolSchema = z.object({
  as_of: z.string(),
  sources: z.array(spoolSourceSchema),
  files: z.array(spoolFileSchema),
  next_cursor: z.string().nullable(),
  rejected: z.object({ total: z.number().int(), open: z.number().int() }),
});
export type Spool = z.infer<typeof spoolSchema>;

export const rejectedLineSchema = z.object({
  id: z.string(),
  spool_file_id: z.string(),
  source: z.string(),
  name: z.string(),
  /** Where the line is kept whole, on the machine that loaded its file. */
  side_file: z.string().nullable(),
  /** From 1. */
  line: z.number(),
  byte_offset: z.number(),
  reason: z.string(),
  message: z.string(),
  /** The line's first 4 kB; the side file has all of it. */
  head: z.string(),
  /** True: `head` is the whole line. Another is tried again with what its file, a loaded copy or the side file holds. */
  is_whole: z.boolean(),
  at: z.string(),
  dismissed_at: z.string().nullable(),
  dismissed_by: z.string().nullable(),
  /** The entry that a later try made of it. */
  entry_id: z.string().nullable(),
});
export type RejectedLineState = z.infer<typeof rejectedLineSchema>;

export const rejectedListSchema = z.object({ items: z.array(rejectedLineSchema), next_cursor: z.string().nullable() });
export type RejectedList = z.infer<typeof rejectedListSchema>;
