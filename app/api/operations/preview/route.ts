import { previewRequestSchema } from '@/lib/contract/operation';
import { route } from '@/lib/http/route';
import { previewOperation } from '@/lib/operations/preview-operation';

export const POST = route({ role: 'operator', body: 'json', schema: previewRequestSchema }, ({ ctx, body }) =>
  previewOperation(ctx, body),
);
