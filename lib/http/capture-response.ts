import { type Captured, type CapturedLine, capturedSchema } from '@/lib/contract/capture';
import type { Producer } from '@/lib/contract/token';
import { captureMany, MAX_CAPTURE_BYTES, WHEN_TOO_LARGE } from '@/lib/ingest/capture-many';
import { captureOne } from '@/lib/ingest/capture-one';
import { getLog } from '@/lib/log';
import { loggableError } from '@/lib/loggable-error';
import { countCaptures } from '@/lib/tokens/capture-rate';
import { describeError } from './errors';
import type { RequestBody } from './request-body';
import type { Context } from './route';

/**
 * Answers that wait to be read, in bytes. Clients that read nothing before they have sent everything would block us
 * and themselves if the first full socket buffer stopped the reading; about half a million answers fit.
 */
const ANSWERS_AHEAD_BYTES = 64_000_000;

/** `POST /api/dead-letters` with `application/json`: one. */
export async function oneCaptured(ctx: Context, request: Request, body: RequestBody): Promise<Captured> {
  const { producer } = ctx.actor;
  countCaptures(producer, 1);
  const text = await body.limitedTo({ max_bytes: MAX_CAPTURE_BYTES, when_too_large: WHEN_TOO_LARGE }).text();
  const capture_id = request.headers.get('capture-id');
  return capturedSchema.parse(await captureOne(ctx, { text, via: 'http', capture_id, producer }));
}

/**
 * `POST /api/dead-letters` with `application/x-ndjson`: many, answered while they are read. The first chunk is stored
 * before the answer begins, so that a database that is away is a 503 and not a list of failures.
 */
export async function manyCaptured(ctx: Context, body: RequestBody): Promise<Response> {
  let begun = false;
  const { producer } = ctx.actor;
  const stored = captureMany(ctx, {
    chunks: body.chunks(),
    via: 'http',
    producer,
    onHeld: (bytes) => body.place.hold(bytes),
    onFailure: (error) => {
      if (!begun) throw error;
      getLog().error({ request_id: ctx.request_id, error: loggableError(error) }, 'a chunk of captures failed');
      return describeError(error);
    },
  });
  // The place among the requests in work is left when the last line is stored, not when the answer begins.
  const answers = counted(producer, stored, body.place.keep());
  const first = await answers.next();
  begun = true;
  const encoder = new TextEncoder();
  const encode = (lines: readonly CapturedLine[]) =>
    encoder.encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (first.done) controller.close();
        else controller.enqueue(encode(first.value));
      },
      async pull(controller) {
        try {
          const next = await answers.next();
          if (next.done) controller.close();
          else controller.enqueue(encode(next.value));
        } catch (error) {
          // The status is sent: what is left to say goes into a last line, which names no line number of its own.
          const { code, message } = describeError(error);
          controller.enqueue(encoder.encode(`${JSON.stringify({ line: 0, error: { code, message } })}\n`));
          controller.close();
        }
      },
      async cancel() {
        await answers.return(undefined);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: ANSWERS_AHEAD_BYTES }),
  );
  return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
}

async function* counted(
  producer: Producer | null,
  chunks: AsyncIterable<CapturedLine[]>,
  done: () => void,
): AsyncGenerator<CapturedLine[]> {
  try {
    for await (const lines of chunks) {
      countCaptures(producer, lines.length);
      yield lines;
    }
  } finally {
    done();
  }
}
