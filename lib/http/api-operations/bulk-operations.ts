import { z } from 'zod';
import {
  ITEM_OUTCOMES,
  OPERATION_STATES,
  operationItemSchema,
  operationSchema,
  previewRequestSchema,
  previewSchema,
  startRequestSchema,
} from '@/lib/contract/operation';
import { type ApiOperation, json } from './api-operation';
import { id, paging } from './parameters';

const operation = operationSchema.meta({ id: 'Operation' });

export const BULK_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'post',
    path: '/api/operations/preview',
    role: 'operator',
    summary: 'Freeze the set that an action would change; changes nothing itself',
    body: json(previewRequestSchema),
    answer: json(previewSchema.meta({ id: 'Preview' })),
  },
  {
    method: 'post',
    path: '/api/operations',
    role: 'operator',
    summary: 'Start what was previewed',
    body: json(startRequestSchema),
    answer: json(operation),
  },
  {
    method: 'get',
    path: '/api/operations',
    role: 'viewer',
    summary: 'Operations, newest first',
    query: paging.extend({ state: z.enum(OPERATION_STATES).optional() }),
    answer: json(z.object({ items: z.array(operation), next_cursor: z.string().nullable() })),
  },
  {
    method: 'get',
    path: '/api/operations/{id}',
    role: 'viewer',
    summary: 'One operation with its progress',
    params: id,
    answer: json(operation),
  },
  ...(['pause', 'resume', 'cancel'] as const).map(
    (verb): ApiOperation => ({
      method: 'post',
      path: `/api/operations/{id}/${verb}`,
      role: 'operator',
      summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} an operation`,
      params: id,
      answer: json(operation),
    }),
  ),
  {
    method: 'get',
    path: '/api/operations/{id}/items',
    role: 'viewer',
    summary: 'Every member of the frozen set and what became of it',
    params: id,
    query: paging.extend({ outcome: z.enum(ITEM_OUTCOMES).optional() }),
    answer: json(z.object({ items: z.array(operationItemSchema), next_cursor: z.string().nullable() })),
  },
];
