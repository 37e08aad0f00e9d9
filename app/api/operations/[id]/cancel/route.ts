import { route } from '@/lib/http/route';
import { cancelOperation } from '@/lib/operations/steer-operation';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => cancelOperation(ctx, params.id ?? ''));
