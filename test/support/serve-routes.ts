import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import type { RouteHandler } from '@/lib/http/route';

/** `path` as the folders of `app` name it, e.g. `/api/blobs/[sha256]`. */
export interface ServedRoute {
  method: string;
  path: string;
  handler: RouteHandler;
}

/** Exported handlers on a real socket of loopback: for clients that are processes of their own, and for broken connections. */
export async function serveRoutes(
  routes: readonly ServedRoute[],
  port = 0,
): Promise<{ url: string; port: number; close: () => Promise<void> }> {
  const matchers = routes.map((route) => ({ ...route, matches: matcherOf(route.path) }));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    for (const { method, handler, matches } of matchers) {
      const params = method === request.method ? matches(pathname) : null;
      if (params) return void answer(handler, params, request, response);
    }
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function matcherOf(path: string): (pathname: string) => Record<string, string> | null {
  const names = [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => name as string);
  const pattern = new RegExp(`^${path.replace(/\[\w+\]/g, '([^/]+)')}$`);
  return (pathname) => {
    const found = pattern.exec(pathname);
    return found && Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1] as string)]));
  };
}

async function answer(
  handler: RouteHandler,
  params: Record<string, string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const init: RequestInit & { duplex?: 'half' } = { method: request.method ?? 'GET', headers, signal: leaving.signal };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    init.body = Readable.toWeb(request) as unknown as ReadableStream;
    init.duplex = 'half';
  }
  try {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const answered = await handler(new Request(url, init), { params: Promise.resolve(params) });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else await pipeline(Readable.fromWeb(answered.body as unknown as NodeWebStream), response);
  } catch {
    // The client went away in between: there is no one left to tell.
    response.destroy();
  }
}
