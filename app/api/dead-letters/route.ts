import { manyCaptured, oneCaptured } from '@/lib/http/capture-response';
import { listDeadLetters } from '@/lib/http/list-dead-letters';
import { route } from '@/lib/http/route';

/** In one request; memory is bounded by a chunk, whatever this is. */
const MAX_NDJSON_BYTES = 4_000_000_000;

export const GET = listDeadLetters;

export const POST = route(
  {
    role: 'operator',
    intake: true,
    body: 'raw',
    max_body_bytes: MAX_NDJSON_BYTES,
    when_too_large: 'send the lines in several requests',
  },
  async ({ ctx, request, body }) =>
    body.content_type === 'application/json' ? oneCaptured(ctx, request, body) : manyCaptured(ctx, body),
);
