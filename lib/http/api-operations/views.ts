import { z } from 'zod';
import { newViewSchema, viewChangeSchema, viewListSchema, viewSchema } from '@/lib/contract/view';
import { type ApiOperation, json } from './api-operation';
import { id } from './parameters';

const view = viewSchema.meta({ id: 'View' });

export const VIEW_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/views',
    role: 'viewer',
    summary: 'The saved views of the triage page, by name',
    answer: json(viewListSchema.meta({ id: 'ViewList' })),
  },
  {
    method: 'post',
    path: '/api/views',
    role: 'operator',
    summary: 'Save the search part of the page’s address under a name',
    body: json(newViewSchema.meta({ id: 'NewView' })),
    answer: json(view),
    also: { 409: { description: 'The name is in use, or there are 500 views' } },
  },
  {
    method: 'put',
    path: '/api/views/{id}',
    role: 'operator',
    summary: 'Give a view another name or address; within a day a deleted one comes back by it',
    params: id,
    body: json(viewChangeSchema.meta({ id: 'ViewChange' })),
    answer: json(view),
    also: { 409: { description: 'It was changed in between, or the name is in use' } },
  },
  {
    method: 'delete',
    path: '/api/views/{id}',
    role: 'operator',
    summary: 'Delete a view of the version that was seen',
    params: id,
    query: z.object({ version: z.string() }),
    answer: json(view),
    also: { 409: { description: 'It was changed in between' } },
  },
];
