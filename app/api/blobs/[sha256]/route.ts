import { getConfig } from '@/lib/config';
import { blobPut, blobResponse } from '@/lib/http/blob-response';
import { route } from '@/lib/http/route';

export const PUT = route(
  {
    role: 'operator',
    intake: true,
    body: 'raw',
    media_types: ['application/octet-stream'],
    max_body_bytes: () => getConfig().max_blob_bytes,
    when_too_large: 'a greater DLO_MAX_BLOB_BYTES takes it',
  },
  ({ ctx, params, body }) => blobPut(ctx, params.sha256 ?? '', body),
);

export const GET = route({ role: 'viewer' }, ({ ctx, params }) => blobResponse(ctx, params.sha256 ?? '', false));

export const HEAD = route({ role: 'viewer', intake: true }, ({ ctx, params }) =>
  blobResponse(ctx, params.sha256 ?? '', true),
);
