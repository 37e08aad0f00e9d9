import { z } from 'zod';
import { healthSchema, readySchema } from '@/lib/contract/health';
import { type ApiOperation, json } from './api-operation';

const ready = readySchema.meta({ id: 'Ready' });

export const PROCESS_OPERATIONS: readonly ApiOperation[] = [
  { method: 'get', path: '/healthz', role: 'viewer', summary: 'The process answers', answer: json(healthSchema) },
  {
    method: 'get',
    path: '/readyz',
    role: 'viewer',
    summary: 'Requests can be served: the database is reachable, writable and migrated',
    answer: json(ready),
    also: { 503: { description: 'Not ready, with the reasons', content: json(ready) } },
  },
  {
    method: 'get',
    path: '/metrics',
    role: 'viewer',
    summary:
      'Metrics of this process in the text format of Prometheus: memory, event loop, triage index, depth, spools',
    answer: { 'text/plain': z.string() },
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    role: 'viewer',
    summary: 'This document',
    answer: json(z.looseObject({})),
  },
];
