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
  cursor: z.string().optional(),
});
