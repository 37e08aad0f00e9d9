import { z } from 'zod';

/** A country or one of its first-level regions, as the condition `place` takes it by its code. */
export const placeSchema = z.object({
  code: z.string(),
  name: z.string(),
  kind: z.enum(['country', 'region']),
  /** Of a region: the name of its country. */
  country: z.string().nullable(),
});
export type Place = z.infer<typeof placeSchema>;

/** Answer of `GET /api/places?prefix=`: countries first, at most 20. */
export const placesSchema = z.object({ items: z.array(placeSchema) });
export type Places = z.infer<typeof placesSchema>;

/**
 * Answer of `GET /api/suggest/params`: the known paths that begin with `prefix`, or, where `path` is given, its values that
 * do. Counted among the newest `sampled` entries that match the filter; the most frequent first, at most 50.
 */
export const paramSuggestionsSchema = z.object({
  paths: z.array(
    z.object({
      path: z.string(),
      types: z.array(z.enum(['string', 'number', 'boolean', 'null'])),
      count: z.number().int(),
    }),
  ),
  values: z.array(
    z.object({ value: z.union([z.string(), z.number(), z.boolean(), z.null()]), count: z.number().int() }),
  ),
  /** Entries that were read. */
  sampled: z.number().int(),
  /** There were more: each count means “at least”, and a rare path or value may not be there. */
  capped: z.boolean(),
});
export type ParamSuggestions = z.infer<typeof paramSuggestionsSchema>;

/** Fields whose values `GET /api/suggest/values` knows: those that can have more values than a facet shows. */
export const SUGGESTED_FIELDS = ['task_name', 'src_crs', 'code_version', 'signature', 'source_uri'] as const;
export type SuggestedField = (typeof SUGGESTED_FIELDS)[number];

/**
 * Answer of `GET /api/suggest/values?field=&prefix=`: values that begin with the prefix as it is, or in capitals or small
 * letters; at most 50, in the order of their text. Sources are those of the newest entries, others all that ever were.
 */
export const valueSuggestionsSchema = z.object({
  values: z.array(z.string()),
  /** There are more. */
  capped: z.boolean(),
});
export type ValueSuggestions = z.infer<typeof valueSuggestionsSchema>;
