import { z } from 'zod';
import { createdTokenSchema, newTokenSchema, tokenSchema } from '@/lib/contract/token';
import { type ApiOperation, json } from './api-operation';
import { id } from './parameters';

const token = tokenSchema.meta({ id: 'Token' });

export const TOKEN_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/tokens',
    role: 'operator',
    summary: 'The tokens of producers, newest first; never their text',
    answer: json(z.object({ items: z.array(token) })),
  },
  {
    method: 'post',
    path: '/api/tokens',
    role: 'operator',
    summary: 'Make a producer’s token: it may send captures, blobs and runs, and nothing else. Its text is shown once',
    body: json(newTokenSchema.meta({ id: 'NewToken' })),
    answer: json(createdTokenSchema.meta({ id: 'CreatedToken' })),
    also: { 409: { description: 'A token of this name is in use' } },
  },
  {
    method: 'post',
    path: '/api/tokens/{id}/revoke',
    role: 'operator',
    summary: 'End a token for good; it takes effect everywhere within ten seconds',
    params: id,
    answer: json(token),
  },
];
