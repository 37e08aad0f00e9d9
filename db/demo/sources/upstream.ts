import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';

/** What the upstream does with a request. */
type Behaviour = 'answer' | 'stall' | 'reset' | 'half' | 'unavailable' | 'gone' | 'login page';

/** Nights on which a share (of 1000 paths) is answered badly; `always` lasts until today. */
interface Trouble {
  from: number;
  to: number;
  per_mille: number;
  behaviour: Behaviour;
}

const TROUBLES: readonly Trouble[] = [
  { from: 0, to: Infinity, per_mille: 25, behaviour: 'gone' },
  { from: 0, to: Infinity, per_mille: 20, behaviour: 'login page' },
  { from: 9, to: 9, per_mille: 200, behaviour: 'stall' },
  { from: 17, to: 19, per_mille: 900, behaviour: 'stall' },
  { from: 35, to: 35, per_mille: 300, behaviour: 'stall' },
  { from: 41, to: 42, per_mille: 850, behaviour: 'reset' },
  { from: 58, to: 58, per_mille: 250, behaviour: 'stall' },
  { from: 66, to: 68, per_mille: 600, behaviour: 'unavailable' },
  { from: 77, to: 77, per_mille: 700, behaviour: 'half' },
  { from: 86, to: 88, per_mille: 550, behaviour: 'stall' },
];

/** A real HTTP server on loopback that plays the elevation service, with its outages by night. */
export interface Upstream {
  origin: string;
  /** The night whose outages are in force. */
  night: number;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/';
    respond(behaviourOf(path, upstream.night), path, response);
  });
  const upstream: Upstream = {
    origin: '',
    night: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the upstream got no port');
  upstream.origin = `http://127.0.0.1:${address.port}`;
  return upstream;
}

/** Depends on path and night alone, so that a task fails in the same way whenever it is run for the same night. */
export function behaviourOf(path: string, night: number): Behaviour {
  return (
    TROUBLES.find((one, i) => night >= one.from && night <= one.to && share(path, i) < one.per_mille)?.behaviour ??
    'answer'
  );
}

function share(path: string, trouble: number): number {
  return createHash('sha256').update(`${trouble} ${path}`).digest().readUInt32LE(0) % 1000;
}

function respond(behaviour: Behaviour, path: string, response: ServerResponse): void {
  switch (behaviour) {
    case 'answer':
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ path, datum: 'EGM96', min_m: share(path, 98), max_m: 1000 + share(path, 99) }));
      return;
    case 'stall':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' });
      response.write('{"path":', () => response.socket?.destroy());
      return;
    case 'unavailable':
      response.writeHead(503, { 'retry-after': '120' }).end('upstream busy');
      return;
    case 'gone':
      response.writeHead(410).end('this tile was withdrawn');
      return;
    case 'login page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
  }
}
