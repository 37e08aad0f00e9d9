import { route } from '@/lib/http/route';
import { listRejected } from '@/lib/spool/rejected-lines';

/** An operator's: the text of a line is evidence whole, places included. */
export const GET = route(
  {
    role: 'operator',
    search: (search) => ({ cursor: search.get('cursor'), only_open: search.get('open') === 'true' }),
  },
  ({ ctx, search }) => listRejected(ctx, search),
);
