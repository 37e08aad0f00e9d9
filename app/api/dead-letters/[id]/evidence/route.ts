import { route } from '@/lib/http/route';
import { getEvidence } from '@/lib/triage/get-evidence';

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => getEvidence(ctx, { id: params.id ?? '' }));
