import { route } from '@/lib/http/route';
import { pauseOperation } from '@/lib/operations/steer-operation';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => pauseOperation(ctx, params.id ?? ''));
