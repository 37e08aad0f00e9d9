import { newTokenSchema } from '@/lib/contract/token';
import { route } from '@/lib/http/route';
import { createToken } from '@/lib/tokens/create-token';
import { listTokens } from '@/lib/tokens/list-tokens';

export const GET = route({ role: 'operator' }, ({ ctx }) => listTokens(ctx));

export const POST = route({ role: 'operator', body: 'json', schema: newTokenSchema }, ({ ctx, body }) =>
  createToken(ctx, body),
);
