import type { RouteHandler } from '@/lib/http/route';

export interface Sent {
  method?: string;
  /** Path with query. */
  path?: string;
  headers?: Record<string, string>;
  /** A string or bytes as they are; anything else as JSON. */
  body?: unknown;
  params?: Record<string, string>;
}

export interface Received {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined where it is no JSON. */
  json: unknown;
}

/** Sends a request to an exported handler as Next would call it, under a Host that the server has. */
export async function send(handler: RouteHandler, sent: Sent = {}): Promise<Received> {
  const raw = typeof sent.body === 'string' || sent.body instanceof Uint8Array || sent.body instanceof ReadableStream;
  const headers = new Headers({ host: 'localhost:3000', ...sent.headers });
  if (sent.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const init: RequestInit & { duplex?: 'half' } = {
    method: sent.method ?? (sent.body === undefined ? 'GET' : 'POST'),
    headers,
  };
  if (sent.body !== undefined) {
    init.body = raw ? (sent.body as BodyInit) : JSON.stringify(sent.body);
    init.duplex = 'half';
  }
  const request = new Request(new URL(sent.path ?? '/', 'http://localhost:3000'), init);
  const response = await handler(request, { params: Promise.resolve(sent.params ?? {}) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** Sends lines as NDJSON; the answers are its lines. */
export async function sendLines(handler: RouteHandler, lines: readonly string[], end = '\n'): Promise<unknown[]> {
  const { text } = await send(handler, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join('\n') + end,
  });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
