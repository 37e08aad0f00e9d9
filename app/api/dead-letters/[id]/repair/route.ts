import { readRepairMethod } from '@/lib/http/repair-method';
import { route } from '@/lib/http/route';
import { previewRepair } from '@/lib/repair/preview-repair';

export const GET = route({ role: 'viewer', search: readRepairMethod }, ({ ctx, params, search: method }) =>
  previewRepair(ctx, { id: params.id ?? '', method }),
);
