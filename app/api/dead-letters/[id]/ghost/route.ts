import { readGhostInput } from '@/lib/http/ghost-input';
import { route } from '@/lib/http/route';
import { getGhost } from '@/lib/triage/get-ghost';

export const GET = route({ role: 'viewer', search: readGhostInput }, ({ ctx, params, search }) =>
  getGhost(ctx, { id: params.id ?? '', ...search }),
);
