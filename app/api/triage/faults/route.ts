import { filterFromSearch } from '@/lib/contract/filter';
import { route } from '@/lib/http/route';
import { countFaults } from '@/lib/triage/count-faults';

export const GET = route({ role: 'viewer', search: (search) => filterFromSearch(search) }, ({ ctx, search }) =>
  countFaults(ctx, search),
);
