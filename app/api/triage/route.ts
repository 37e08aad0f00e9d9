import { readListInput } from '@/lib/http/list-dead-letters';
import { route } from '@/lib/http/route';
import { triage } from '@/lib/triage/triage';

export const GET = route({ role: 'viewer', search: readListInput }, ({ ctx, search }) => triage(ctx, search));
