import { readItemsInput } from '@/lib/http/items-input';
import { route } from '@/lib/http/route';
import { csvOfItems } from '@/lib/operations/items-csv';
import { listItems } from '@/lib/operations/list-items';

export const GET = route({ role: 'viewer', search: readItemsInput }, async ({ ctx, params, search }) => {
  const id = params.id ?? '';
  if (search.format === 'json') return listItems(ctx, { id, ...search });
  return new Response(await csvOfItems(ctx, id, search.outcome), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="operation-${id}.csv"`,
    },
  });
});
