import { manifestSchema } from '@/lib/contract/task';
import { route } from '@/lib/http/route';
import { getTask } from '@/lib/tasks/get-task';
import { putTask } from '@/lib/tasks/put-task';

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => getTask(ctx, { task_name: params.task_name ?? '' }));

export const PUT = route({ role: 'operator', body: 'json', schema: manifestSchema }, ({ ctx, params, body }) =>
  putTask(ctx, { task_name: params.task_name ?? '', manifest: body }),
);
