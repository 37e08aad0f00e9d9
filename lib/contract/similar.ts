import { z } from 'zod';

/** In what another entry is like this one. */
export const SIMILAR_KINDS = ['signature', 'source', 'nearby', 'verdict', 'version'] as const;
export type SimilarKind = (typeof SIMILAR_KINDS)[number];

export const similarSchema = z.object({
  id: z.string(),
  /** Only the ways that there are, and that a filter can say: an entry without a place has none nearby. */
  items: z.array(
    z.object({
      kind: z.enum(SIMILAR_KINDS),
      /** What they share: the signature, the claim, the distance, the verdict, the code version. Null for "none". */
      value: z.string().nullable(),
      /** Unresolved entries that the filter finds, this one among them; counted up to 10,000. */
      count: z.number().int(),
      /** There are more than `count`. */
      capped: z.boolean(),
      /** The filter's query parameters. */
      filter: z.string(),
    }),
  ),
});
export type Similar = z.infer<typeof similarSchema>;
export type SimilarItem = Similar['items'][number];
