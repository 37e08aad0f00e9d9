import { route } from '@/lib/http/route';

/** The process answers; it says nothing about the database. */
export const GET = route({ role: 'viewer' }, async () => ({ status: 'ok' }));
