import { GEOMETRY_FORMATS, type GeometryFormat } from '@/lib/contract/entry';
import { DlqError } from '@/lib/contract/error';
import type { Tagged } from '@/lib/triage/get-geometry';

const FILES: Record<GeometryFormat, { type: string; ending: string }> = {
  wkb: { type: 'application/octet-stream', ending: 'wkb' },
  wkt: { type: 'text/plain; charset=utf-8', ending: 'wkt' },
  geojson: { type: 'application/geo+json', ending: 'geojson' },
};

/** The query parameter `format`; the bytes as stored where it is left out. @throws DlqError bad_request. */
export function readGeometryFormat(search: URLSearchParams): GeometryFormat {
  const given = search.get('format') ?? 'wkb';
  const format = GEOMETRY_FORMATS.find((one) => one === given);
  if (!format) throw new DlqError('bad_request', `format takes ${GEOMETRY_FORMATS.join(', ')}, not “${given}”`);
  return format;
}

/** A geometry as a file to keep, or 304 where the asker has it. `name`: what comes before its ending. */
export function geometryResponse(
  name: string,
  format: GeometryFormat,
  { etag, content }: Tagged<Uint8Array | string>,
): Response {
  const { type, ending } = FILES[format];
  // asked for again each time, and answered by 304 while nothing has changed
  const headers = { etag, 'cache-control': 'private, no-cache' };
  if (content === null) return new Response(null, { status: 304, headers });
  return new Response(typeof content === 'string' ? content : Uint8Array.from(content), {
    headers: {
      ...headers,
      'content-type': type,
      'content-disposition': `attachment; filename="${name}.${ending}"`,
    },
  });
}
