import { filterFromSearch } from '@/lib/contract/filter';
import { route } from '@/lib/http/route';
import { signatureTrends } from '@/lib/triage/signatures';

export const GET = route({ role: 'viewer', search: (search) => filterFromSearch(search) }, ({ ctx, search }) =>
  signatureTrends(ctx, search),
);
