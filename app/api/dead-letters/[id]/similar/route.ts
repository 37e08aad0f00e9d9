import { route } from '@/lib/http/route';
import { similar } from '@/lib/triage/similar';

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => similar(ctx, { id: params.id ?? '' }));
