import { route } from '@/lib/http/route';
import { retryRejected } from '@/lib/spool/retry-rejected';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => retryRejected(ctx, params.id ?? ''));
