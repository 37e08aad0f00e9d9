import { route } from '@/lib/http/route';
import { readRunInput } from '@/lib/http/runs-input';
import { getRun } from '@/lib/runs/get-run';

export const GET = route({ role: 'viewer', search: readRunInput }, ({ ctx, params, search }) =>
  getRun(ctx, { run_id: params.run_id ?? '', ...search }),
);
