import { createServer, type IncomingMessage, type Server } from 'node:http';
import { captureSchema } from '@/lib/contract/capture';

/** How the sink behaves towards the next requests. */
export type Mood = 'take' | 'stall' | 'reset' | 'fail once' | 'refuse' | 'nonsense';

/** A server of the capture route's contract that stores nothing: a real HTTP end for the client's tests. */
export interface CaptureSink {
  url: string;
  /** Parsed bodies, as the contract reads them; NaN and such cannot arrive. */
  captures: Record<string, unknown>[];
  /** The lines as they came. */
  lines: string[];
  requests: { content_type: string; authorization: string | undefined }[];
  mood: Mood;
  close(): Promise<void>;
}

export async function captureSink(): Promise<CaptureSink> {
  const seen = new Set<string>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = await read(request);
      sink.requests.push({
        content_type: request.headers['content-type'] ?? '',
        authorization: request.headers.authorization,
      });
      if (sink.mood === 'stall') return;
      if (sink.mood === 'reset') return request.socket.destroy();
      if (sink.mood === 'fail once') {
        sink.mood = 'take';
        response.writeHead(503).end('{"error":{"code":"database_unavailable","message":"starting"}}');
        return;
      }
      if (sink.mood === 'refuse') {
        response.writeHead(413).end('{"error":{"code":"too_large","message":"over the limit"}}');
        return;
      }
      if (sink.mood === 'nonsense') return void response.end('<html>');
      const single = request.headers['content-type'] === 'application/json';
      const lines = single ? [body] : body.trimEnd().split('\n');
      response.end(lines.map((line, i) => JSON.stringify(take(line, i + 1))).join('\n'));
    })();
  });

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
    mood: 'take',
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

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
