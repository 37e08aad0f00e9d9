import { route } from '@/lib/http/route';
import { readParamsInput } from '@/lib/http/suggest-input';
import { suggestParams } from '@/lib/triage/suggest-params';

export const GET = route({ role: 'viewer', search: readParamsInput }, ({ ctx, search }) => suggestParams(ctx, search));
