import { payloadEditSchema } from '@/lib/contract/edit';
import { route } from '@/lib/http/route';
import { editPayload } from '@/lib/repair/edit-payload';

export const POST = route({ role: 'operator', body: 'json', schema: payloadEditSchema }, ({ ctx, params, body }) =>
  editPayload(ctx, { ...body, id: params.id ?? '' }),
);
