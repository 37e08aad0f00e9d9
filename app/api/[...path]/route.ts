import { DlqError } from '@/lib/contract/error';
import { route } from '@/lib/http/route';

/** What no other folder answers: a client of the API gets JSON, not the page that says "not found". */
const none = route({ role: 'viewer' }, async () => {
  throw new DlqError('not_found', 'there is nothing at this address; /api/openapi.json lists what there is');
});

export { none as DELETE, none as GET, none as HEAD, none as PATCH, none as POST, none as PUT };
