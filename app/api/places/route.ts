import type { Places } from '@/lib/contract/search';
import { route } from '@/lib/http/route';
import { readPrefix } from '@/lib/http/suggest-input';
import { placesLike } from '@/lib/places/place-list';

const MOST = 20;

export const GET = route(
  { role: 'viewer', search: readPrefix },
  async ({ search }): Promise<Places> => ({ items: placesLike(search, MOST) }),
);
