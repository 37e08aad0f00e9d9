import { depth } from '@/lib/health/depth';
import { route } from '@/lib/http/route';

export const GET = route({ role: 'viewer' }, async ({ ctx }) => depth(ctx));
