import { geometryResponse, readGeometryFormat } from '@/lib/http/geometry-response';
import { route } from '@/lib/http/route';
import { getGeometry } from '@/lib/triage/get-geometry';

export const GET = route({ role: 'viewer', search: readGeometryFormat }, async ({ ctx, params, search: format }) => {
  const id = params.id ?? '';
  return geometryResponse(id, format, await getGeometry(ctx, { id, format }));
});
