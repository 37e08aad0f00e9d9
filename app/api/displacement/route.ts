import { filterFromSearch } from '@/lib/contract/filter';
import { route } from '@/lib/http/route';
import { displacement } from '@/lib/triage/displacement';

export const GET = route({ role: 'viewer', search: (search) => filterFromSearch(search) }, ({ ctx, search }) =>
  displacement(ctx, { filter: search }),
);
