import { metrics } from '@/lib/health/metrics';
import { route } from '@/lib/http/route';

export const GET = route({ role: 'viewer' }, async ({ ctx }) => {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(await metrics(ctx), { headers });
});
