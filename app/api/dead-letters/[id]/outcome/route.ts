import { outcomeSchema } from '@/lib/contract/task';
import { route } from '@/lib/http/route';
import { recordOutcome } from '@/lib/redrive/record-outcome';
import { readEntryId } from '@/lib/triage/entry-id';

export const POST = route({ role: 'operator', body: 'json', schema: outcomeSchema }, ({ ctx, params, body }) =>
  recordOutcome(ctx, { entry_id: readEntryId(params.id ?? ''), ...body }),
);
