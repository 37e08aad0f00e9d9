import { viewChangeSchema } from '@/lib/contract/view';
import { route } from '@/lib/http/route';
import { changeView } from '@/lib/views/change-view';
import { deleteView } from '@/lib/views/delete-view';
import { viewId } from '@/lib/views/refusals';

export const PUT = route({ role: 'operator', body: 'json', schema: viewChangeSchema }, ({ ctx, params, body }) =>
  changeView(ctx, viewId(params.id), body),
);

export const DELETE = route(
  { role: 'operator', search: (search) => search.get('version') ?? '' },
  ({ ctx, params, search }) => deleteView(ctx, viewId(params.id), search),
);
