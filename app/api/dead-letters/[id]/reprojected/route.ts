import { geometryResponse } from '@/lib/http/geometry-response';
import { knownTags } from '@/lib/http/known-tags';
import { route } from '@/lib/http/route';
import { getReprojected } from '@/lib/triage/get-geometry';

export const GET = route({ role: 'viewer' }, async ({ ctx, request, params }) => {
  const id = params.id ?? '';
  return geometryResponse(
    `dead-letter-${id}-4326`,
    'wkb',
    await getReprojected(ctx, { id, known: knownTags(request) }),
  );
});
