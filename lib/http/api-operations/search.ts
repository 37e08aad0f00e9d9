import { z } from 'zod';
import { paramSuggestionsSchema, placesSchema, SUGGESTED_FIELDS, valueSuggestionsSchema } from '@/lib/contract/search';
import { type ApiOperation, json } from './api-operation';
import { filtered } from './parameters';

const prefix = z.string().max(500).optional();

export const SEARCH_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/suggest/params',
    role: 'viewer',
    summary: 'Paths of params, or the values at one, that begin with a text',
    description:
      'Counted among the newest entries that match, at most 500 of the newest 4,000; a filter’s sources, areas, places, words and params do not narrow them.',
    query: filtered.extend({ path: z.string().optional(), prefix }),
    answer: json(paramSuggestionsSchema.meta({ id: 'ParamSuggestions' })),
  },
  {
    method: 'get',
    path: '/api/suggest/values',
    role: 'viewer',
    summary: 'Values of a field that begin with a text',
    query: filtered.extend({ field: z.enum(SUGGESTED_FIELDS), prefix }),
    answer: json(valueSuggestionsSchema.meta({ id: 'ValueSuggestions' })),
  },
  {
    method: 'get',
    path: '/api/places',
    role: 'viewer',
    summary: 'Countries and first-level regions by the beginning of their code or name, for the condition “place”',
    query: z.object({ prefix }),
    answer: json(placesSchema.meta({ id: 'Places' })),
  },
];
