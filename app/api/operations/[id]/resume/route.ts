import { route } from '@/lib/http/route';
import { resumeOperation } from '@/lib/operations/steer-operation';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => resumeOperation(ctx, params.id ?? ''));
