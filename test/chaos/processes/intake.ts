import { POST } from '@/app/api/dead-letters/route';
import { serveRoutes } from '@/test/support/serve-routes';

/** The HTTP door as a process of its own, on the port CHAOS_PORT. */
const blobs = await import('@/app/api/blobs/[sha256]/route');
await serveRoutes(
  [
    { method: 'POST', path: '/api/dead-letters', handler: POST },
    { method: 'PUT', path: '/api/blobs/[sha256]', handler: blobs.PUT },
  ],
  Number(process.env.CHAOS_PORT),
);
process.on('disconnect', () => process.exit());
process.send?.({ kind: 'ready' });
