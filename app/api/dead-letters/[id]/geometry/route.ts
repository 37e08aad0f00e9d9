import { geometryResponse, readGeometryFormat } from '@/lib/http/geometry-response';
import { knownTags } from '@/lib/http/known-tags';
import { route } from '@/lib/http/route';
import { getGeometry } from '@/lib/triage/get-geometry';

export const GET = route(
  { role: 'viewer', search: readGeometryFormat },
  async ({ ctx, request, params, search: format }) => {
    const id = params.id ?? '';
    const found = await getGeometry(ctx, { id, format, known: knownTags(request) });
    return geometryResponse(`dead-letter-${id}`, format, found);
  },
);
