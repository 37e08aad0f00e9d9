import { inDoubtSchema } from '@/lib/contract/task';
import { route } from '@/lib/http/route';
import { decideInDoubt } from '@/lib/redrive/decide-in-doubt';
import { readEntryId } from '@/lib/triage/entry-id';

export const POST = route({ role: 'operator', body: 'json', schema: inDoubtSchema }, ({ ctx, params, body }) =>
  decideInDoubt(ctx, { entry_id: readEntryId(params.id ?? ''), ...body }),
);
