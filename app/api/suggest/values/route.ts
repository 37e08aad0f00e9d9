import { route } from '@/lib/http/route';
import { readValuesInput } from '@/lib/http/suggest-input';
import { suggestValues } from '@/lib/triage/suggest-values';

export const GET = route({ role: 'viewer', search: readValuesInput }, ({ ctx, search }) => suggestValues(ctx, search));
