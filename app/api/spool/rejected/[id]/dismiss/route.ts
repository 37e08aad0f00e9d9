import { route } from '@/lib/http/route';
import { dismissRejected } from '@/lib/spool/rejected-lines';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => dismissRejected(ctx, params.id ?? ''));
