import { z } from 'zod';
import { manifestSchema, taskSchema } from '@/lib/contract/task';
import { type ApiOperation, json } from './api-operation';

const manifest = manifestSchema.meta({ id: 'Manifest' });
const task = taskSchema.meta({ id: 'Task' });

export const TASK_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'put',
    path: '/api/tasks/{task_name}',
    role: 'operator',
    summary:
      'Register which code versions and params a task can rebuild faithfully. A redrive carries a geometry kept by reference as geom_wkb up to 8 MB; a larger one only as payload_url (sha256 in payload_ref), and only to a task that says takes_references',
    params: { task_name: z.string() },
    body: json(manifest),
    answer: json(task),
  },
  {
    method: 'get',
    path: '/api/tasks/{task_name}',
    role: 'viewer',
    summary: 'The manifest of a task',
    params: { task_name: z.string() },
    answer: json(task),
  },
];
