import { DlqError } from '@/lib/contract/error';
import { route } from '@/lib/http/route';
import { listRejected } from '@/lib/spool/rejected-lines';

/** An operator's: the text of a line is evidence whole, places included. */
export const GET = route(
  {
    role: 'operator',
    search: (search) => ({ cursor: search.get('cursor'), is_open: readOpen(search.get('open')) }),
  },
  ({ ctx, search }) => listRejected(ctx, search),
);

function readOpen(text: string | null): boolean | null {
  if (text === null) return null;
  if (text !== 'true' && text !== 'false')
    throw new DlqError('bad_request', `open takes true or false, not “${text.slice(0, 40)}”`);
  return text === 'true';
}
