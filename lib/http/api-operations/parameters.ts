import { z } from 'zod';
import { filterSchema } from '@/lib/contract/filter';
import { SORTS } from '@/lib/contract/triage';

/** The parameters that operations of several resources share. */
export const id = { id: z.string().regex(/^\d{1,19}$/) };

export const paging = z.object({ cursor: z.string().optional() });

export const filtered = z.object({ ...filterSchema.shape });

export const listed = filtered.extend({
  sort: z.enum(SORTS).optional(),
  dir: z.enum(['asc', 'desc']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** A `next_cursor` or `prev_cursor` of an answer in the same order. */
  cursor: z.string().optional(),
  /** Where to enter a list that is ordered by time, instead of a cursor. */
  at: z.iso.datetime({ offset: true }).optional(),
});
