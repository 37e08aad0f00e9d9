import { filterFromSearch } from '@/lib/contract/filter';
import { route } from '@/lib/http/route';
import { tileJson } from '@/lib/triage/tile-json';

export const GET = route(
  { role: 'viewer', search: (search) => filterFromSearch(search) },
  async ({ request, search }) => {
    const { protocol, host } = new URL(request.url);
    const scheme = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim() ?? protocol.slice(0, -1);
    return tileJson(search, `${scheme === 'https' ? 'https' : 'http'}://${request.headers.get('host') ?? host}`);
  },
);
