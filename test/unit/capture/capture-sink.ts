import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { captureSchema } from '@/lib/contract/capture';
import { sha256Of } from '@/test/support/sha256-of';

/**
 * How the sink behaves towards the next requests. `lost`: takes them and breaks the connection instead of answering;
 * `halt`: answers the first line and breaks off; `busy`: 429 with Retry-After; `unready`: every line is answered with
 * an error that says nothing against it.
 */
export type Mood =
  | 'take'
  | 'stall'
  | 'reset'
  | 'fail once'
  | 'refuse'
  | 'nonsense'
  | 'lost'
  | 'halt'
  | 'busy'
  | 'unready';

/** A server of the capture route's contract that stores nothing: a real HTTP end for the client's tests. */
export interface CaptureSink {
  url: string;
  /** Parsed bodies, as the contract reads them; NaN and such cannot arrive. */
  captures: Record<string, unknown>[];
  /** The lines as they came. */
  lines: string[];
  requests: { content_type: string; authorization: string | undefined; encoding: string | undefined }[];
  /** Bytes of the blobs by their hash. */
  blobs: Map<string, Buffer>;
  mood: Mood;
  /** What becomes of blobs: a status answers it, `stall` does not. */
  blob_mood: 'take' | 'stall' | number;
  /** False: a packed body is answered 415, as by a server that knows none. */
  takes_gzip: boolean;
  retry_after_s: number;
  /** Resolves when a request has come. */
  next_request(): Promise<void>;
  /** Resets the connections of those who wait for an answer. */
  reset_all(): void;
  close(): Promise<void>;
}

export async function captureSink(): Promise<CaptureSink> {
  const seen = new Set<string>();
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const bytes = await read(request);
      for (const tell of waiting.splice(0)) tell();
      if (request.method === 'PUT') return takeBlob(request, response, bytes);
      const encoding = request.headers['content-encoding'];
      sink.requests.push({
        content_type: request.headers['content-type'] ?? '',
        authorization: request.headers.authorization,
        encoding,
      });
      if (encoding === 'gzip' && !sink.takes_gzip) {
        response.writeHead(415).end('{"error":{"code":"unsupported_media_type","message":"send it as it is"}}');
        return;
      }
      const body = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
      if (sink.mood === 'stall') return;
      if (sink.mood === 'reset') return request.socket.destroy();
      if (sink.mood === 'fail once') {
        sink.mood = 'take';
        response.writeHead(503).end('{"error":{"code":"database_unavailable","message":"starting"}}');
        return;
      }
      if (sink.mood === 'busy') {
        response.writeHead(429, { 'retry-after': String(sink.retry_after_s) }).end('{"error":{"code":"rate_limited"}}');
        return;
      }
      if (sink.mood === 'refuse') {
        response.writeHead(413).end('{"error":{"code":"too_large","message":"over the limit"}}');
        return;
      }
      if (sink.mood === 'nonsense') return void response.end('<html>');
      const single = request.headers['content-type'] === 'application/json';
      const lines = single ? [body] : body.trimEnd().split('\n');
      if (sink.mood === 'unready') {
        sink.mood = 'take';
        const error = { code: 'database_unavailable', message: 'starting' };
        response.end(lines.map((_, i) => JSON.stringify({ line: i + 1, error })).join('\n'));
        return;
      }
      const answers = lines.map((line, i) => JSON.stringify(take(line, i + 1)));
      if (sink.mood === 'lost' || sink.mood === 'halt') {
        const mood = sink.mood;
        sink.mood = 'take';
        if (mood === 'lost') return request.socket.destroy();
        response.write(`${answers[0]}\n`, () => request.socket.destroy());
        return;
      }
      response.end(answers.join('\n'));
    })();
  });

  function takeBlob(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
    if (sink.blob_mood === 'stall') return;
    if (typeof sink.blob_mood === 'number') {
      response.writeHead(sink.blob_mood).end('{"error":{"code":"x","message":"no blob store"}}');
      return;
    }
    const sha256 = request.url?.split('/').at(-1) ?? '';
    const is_right = sha256Of(bytes) === sha256;
    if (is_right) sink.blobs.set(sha256, bytes);
    response.writeHead(is_right ? 201 : 400).end('{}');
  }

  function take(line: string, number: number): unknown {
    const parsed = captureSchema.safeParse(JSON.parse(line));
    if (!parsed.success) {
      return { line: number, error: { code: 'bad_request', message: parsed.error.message } };
    }
    sink.lines.push(line);
    sink.captures.push(parsed.data);
    const repeated = seen.has(parsed.data.work_key);
    seen.add(parsed.data.work_key);
    return {
      id: String(sink.captures.length),
      work_key: parsed.data.work_key,
      attempts: repeated ? 2 : 1,
      outcome: repeated ? 'repeated' : 'created',
    };
  }

  const sink: CaptureSink = {
    url: '',
    captures: [],
    lines: [],
    requests: [],
    blobs: new Map(),
    mood: 'take',
    blob_mood: 'take',
    takes_gzip: true,
    retry_after_s: 1,
    reset_all: () => server.closeAllConnections(),
    next_request: () => new Promise((tell) => waiting.push(tell)),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the sink has no port');
  sink.url = `http://127.0.0.1:${address.port}`;
  return sink;
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
