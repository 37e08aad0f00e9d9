import { newViewSchema } from '@/lib/contract/view';
import { route } from '@/lib/http/route';
import { createView } from '@/lib/views/create-view';
import { listViews } from '@/lib/views/list-views';

export const GET = route({ role: 'viewer' }, ({ ctx }) => listViews(ctx));

export const POST = route({ role: 'operator', body: 'json', schema: newViewSchema }, ({ ctx, body }) =>
  createView(ctx, body),
);
