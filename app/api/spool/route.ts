import { route } from '@/lib/http/route';
import { getSpool } from '@/lib/spool/get-spool';

export const GET = route(
  { role: 'viewer', search: (search) => ({ cursor: search.get('cursor') }) },
  ({ ctx, search }) => getSpool(ctx, search),
);
