import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { freePort, isPortFree } from '@/lib/cli/free-port.mjs';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function listen(port: number, host: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(port, host, resolve);
  });
}

test('the preferred port is kept while it is free', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
});

test.each(['127.0.0.1', '0.0.0.0'])(
  'a preferred port that something holds on %s is given up for another',
  async (host) => {
    const port = await freePort();
    await listen(port, host);
    expect(await isPortFree(port)).toBe(false);
    expect(await freePort(port)).not.toBe(port);
  },
);
