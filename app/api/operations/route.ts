import { startRequestSchema } from '@/lib/contract/operation';
import { route } from '@/lib/http/route';
import { listOperations } from '@/lib/operations/get-operation';
import { startOperation } from '@/lib/operations/start-operation';

export const GET = route(
  { role: 'viewer', search: (search) => ({ cursor: search.get('cursor'), state: search.get('state') }) },
  ({ ctx, search }) => listOperations(ctx, search),
);

export const POST = route({ role: 'operator', body: 'json', schema: startRequestSchema }, ({ ctx, body }) =>
  startOperation(ctx, body),
);
