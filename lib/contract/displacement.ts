import { z } from 'zod';
import { DISPLACEMENT_KINDS } from '../crs/displacement-group';

const place = z.tuple([z.number(), z.number()]);

export const displacementGroupSchema = z.object({
  failure_class: z.string(),
  task_name: z.string(),
  src_crs: z.string().nullable(),
  /** Matching entries of the group that have a tile and a place that the asker may see. */
  count: z.number().int(),
  /** Of these, how many the rest of the group was worked out from: 0 and no kind where none is among the newest. */
  sampled: z.number().int(),
  /** Of the sampled, how many lie in their tiles. What follows is about the others, or about all where all do. */
  in_tile: z.number().int(),
  kind: z.enum(DISPLACEMENT_KINDS).nullable(),
  sentence: z.string(),
  /** [lon, lat]: the median place and the median middle of the tiles. */
  from: place.nullable(),
  to: place.nullable(),
  /** The median, and the median deviation from it. */
  distance_m: z.number().nullable(),
  spread_m: z.number().nullable(),
  /** From the place to the tile, degrees clockwise from north; null where they share no direction. */
  bearing: z.number().nullable(),
  /** The most frequent of each among the sampled. */
  crs_verdict: z.string().nullable(),
  suggestion: z.string().nullable(),
  /** The asked filter narrowed to the group, as query parameters; null where no filter can say it. */
  filter: z.string().nullable(),
});
export type DisplacementGroup = z.infer<typeof displacementGroupSchema>;

/** The displacement of what matches a filter, the largest groups first. */
export const displacementSchema = z.object({
  as_of: z.string(),
  /** Matching entries with a tile and a place. */
  total: z.number().int(),
  /** How many of them were looked at: the newest, at most `sample_limit`. */
  sampled: z.number().int(),
  sample_limit: z.number().int(),
  /** How many groups there are; `groups` has the largest. */
  group_count: z.number().int(),
  groups: z.array(displacementGroupSchema),
});
export type DisplacementAnswer = z.infer<typeof displacementSchema>;
