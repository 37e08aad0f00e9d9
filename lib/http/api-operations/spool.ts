import { z } from 'zod';
import { capturedSchema } from '@/lib/contract/capture';
import { rejectedLineSchema, rejectedListSchema, spoolSchema } from '@/lib/contract/spool';
import { type ApiOperation, json } from './api-operation';
import { id, paging } from './parameters';

export const SPOOL_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/api/spool',
    role: 'viewer',
    summary: 'The spools that are loaded: what waits, the files (newest first), how many lines were not taken',
    query: paging,
    answer: json(spoolSchema.meta({ id: 'Spool' })),
  },
  {
    method: 'get',
    path: '/api/spool/rejected',
    role: 'operator',
    summary:
      'Lines of spool files that could not be taken, newest first; open=true leaves out those dealt with, open=false the others',
    query: paging.extend({ open: z.enum(['true', 'false']).optional() }),
    answer: json(rejectedListSchema),
  },
  {
    method: 'post',
    path: '/api/spool/rejected/{id}/dismiss',
    role: 'operator',
    summary: 'Nothing more is to be done about this line',
    params: id,
    answer: json(rejectedLineSchema.meta({ id: 'RejectedLine' })),
    also: { 409: { description: 'It was dealt with already' } },
  },
  {
    method: 'post',
    path: '/api/spool/rejected/{id}/retry',
    role: 'operator',
    summary:
      'Try this line once more, with the bytes that were rejected: from its row, its file, a loaded copy or the side file',
    params: id,
    answer: json(capturedSchema),
    also: {
      409: { description: 'It was dealt with already' },
      422: { description: 'It is refused again (details.reason), or its bytes are gone or were changed' },
      503: { description: 'The place of its bytes cannot be read now' },
    },
  },
];
