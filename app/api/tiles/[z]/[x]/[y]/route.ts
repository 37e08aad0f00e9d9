import { filterFromSearch } from '@/lib/contract/filter';
import { route } from '@/lib/http/route';
import { readTileAddress, tile } from '@/lib/triage/tile';

export const GET = route(
  { role: 'viewer', search: (search) => filterFromSearch(search) },
  async ({ ctx, request, params, search }) => {
    const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim());
    const { etag, mvt } = await tile(ctx, {
      ...readTileAddress(params),
      filter: search,
      known,
      signal: request.signal,
    });
    // asked for again each time, and answered by 304 while nothing has changed
    const headers = { etag, 'cache-control': 'private, no-cache' };
    if (mvt === null) return new Response(null, { status: 304, headers });
    return new Response(new Uint8Array(mvt), {
      headers: { ...headers, 'content-type': 'application/vnd.mapbox-vector-tile' },
    });
  },
);
