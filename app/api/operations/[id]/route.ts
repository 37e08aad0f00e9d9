import { route } from '@/lib/http/route';
import { getOperation } from '@/lib/operations/get-operation';

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => getOperation(ctx, params.id ?? ''));
