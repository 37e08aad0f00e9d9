import { z } from 'zod';
import { filterSchema } from '@/lib/contract/filter';
import { SORTS } from '@/lib/contract/triage';

/** The parameters that operations of several resources share. */
export const id = { id: z.string().regex(/^\d{1,19}$/) };

export const paging = z.object({ cursor: z.string().optional() });

/** The filter as an address has it: what is an object or a list of pairs there comes as text. */
export const filtered = z.object({
  ...filterSchema.shape,
  polygon: z.string().optional().meta({
    description: 'The footprint touches the inside of this ring: 3 to 500 vertices, “lon,lat lon,lat lon,lat”',
    example: '-84,39 -82,39 -82,41',
  }),
  params: z
    .array(z.string())
    .optional()
    .meta({
      description: 'Conditions on the params, all of them: a path, = != < <= > >= in or exists, and a value',
      example: ['resampling=cubic', 'zoom>3', 'mode in ["a","b"]', 'mask exists'],
    }),
});

export const listed = filtered.extend({
  sort: z.enum(SORTS).optional(),
  dir: z.enum(['asc', 'desc']).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  /** A `next_cursor` or `prev_cursor` of an answer in the same order. */
  cursor: z.string().optional(),
  /** Where to enter a list that is ordered by time, instead of a cursor. */
  at: z.iso.datetime({ offset: true }).optional(),
});
