import { route } from '@/lib/http/route';
import { getEntry } from '@/lib/triage/get-entry';

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => getEntry(ctx, { id: params.id ?? '' }));
