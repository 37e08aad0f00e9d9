import path from 'node:path';
import type { Ready } from '@/lib/contract/health';
import { indexState, ready } from '@/lib/health/ready';
import { isDatabaseUnavailable } from '@/lib/http/errors';
import { route } from '@/lib/http/route';

const AWAY: Omit<Ready, 'triage_index'> = {
  ready: false,
  reasons: ['the database cannot be reached'],
  notes: [],
  postgres_version: null,
  postgis_version: null,
  migrations_applied: 0,
};

export const GET = route({ role: 'viewer' }, async ({ ctx }) => {
  const found = await ready(ctx, { folder: path.join(process.cwd(), 'migrations') }).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) return { ...AWAY, triage_index: indexState() };
    throw error;
  });
  return Response.json(found, { status: found.ready ? 200 : 503 });
});
