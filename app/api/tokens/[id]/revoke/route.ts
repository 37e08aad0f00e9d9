import { route } from '@/lib/http/route';
import { revokeToken } from '@/lib/tokens/revoke-token';

export const POST = route({ role: 'operator' }, ({ ctx, params }) => revokeToken(ctx, params.id ?? ''));
