import { similarSchema } from '@/lib/contract/similar';
import { type ApiOperation, json } from './api-operation';
import { id } from './parameters';

export const SIMILAR_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/dead-letters/{id}/similar',
    role: 'viewer',
    summary:
      'How many unresolved entries are like this one, and in what: signature, source, place, verdict, version; each with its filter',
    params: id,
    answer: json(similarSchema.meta({ id: 'Similar' })),
  },
];
