import { displacementSchema } from '@/lib/contract/displacement';
import { type ApiOperation, json } from './api-operation';
import { filtered } from './parameters';

export const DISPLACEMENT_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/displacement',
    role: 'viewer',
    summary:
      'Where the entries that match lie to their tiles, by class, task and claim, and what the ways have in common',
    description:
      'Worked out from the newest entries with a tile and a place, at most sample_limit. A sentence is an explanation that at least eight in ten of the displaced ones follow within the width of their tile.',
    query: filtered,
    answer: json(displacementSchema.meta({ id: 'Displacement' })),
  },
];
