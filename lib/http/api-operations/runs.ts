import { z } from 'zod';
import { RUN_STATUSES, runDetailSchema, runListSchema, runReportSchema, runSchema } from '@/lib/contract/run';
import { type ApiOperation, json } from './api-operation';

const run = runSchema.meta({ id: 'Run' });

export const RUN_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'post',
    path: '/api/runs',
    role: 'operator',
    intake: true,
    summary: 'Report the start, the progress or the end of a run of a task; answers the run as it is known then',
    description:
      'A run is named by queue, run_id and task_name. Reports may come late, twice or in another order: a status only rises (running, failed, finished), the earliest start counts, of counts under way the greatest stays, and the report that ends the run wins over them. Lists of tiles add up, each tile once.',
    body: json(runReportSchema.meta({ id: 'RunReport' })),
    answer: json(run),
  },
  {
    method: 'get',
    path: '/api/runs',
    role: 'viewer',
    summary: 'Runs, the latest started first, with what is missing of each',
    query: z.object({
      queue: z.string().optional(),
      task_name: z.string().optional(),
      status: z.enum(RUN_STATUSES).optional(),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      cursor: z.string().optional(),
    }),
    answer: json(runListSchema),
  },
  {
    method: 'get',
    path: '/api/runs/{run_id}',
    role: 'viewer',
    summary: 'One run with the holes of its manifest: tiles that neither succeeded nor are dead letters of the run',
    params: { run_id: z.string() },
    query: z.object({
      queue: z.string().optional(),
      task_name: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
      cursor: z.string().optional(),
    }),
    answer: json(runDetailSchema.meta({ id: 'RunDetail' })),
    also: { 409: { description: 'Several runs have this id: give queue and task_name' } },
  },
];
