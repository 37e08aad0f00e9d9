import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMount, mountSmallDisk } from '@/test/chaos/faults/full-disk';
import { startTcpProxy } from '@/test/chaos/faults/tcp-proxy';
import { makeStoppableServer, type StoppableServer } from '@/test/support/stoppable-server';

/** The faults themselves, each seen to do what it says: a harness that injects nothing proves nothing. */
describe('the database’s faults', () => {
  let server: StoppableServer;
  beforeAll(async () => {
    server = await makeStoppableServer();
  });
  afterAll(() => server?.remove());

  async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url, query_timeout: 1000 });
    client.on('error', () => {});
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end().catch(() => {});
    }
  }
  const count = () =>
    withClient(server.url, async (client) => Number((await client.query('select count(*) from seen')).rows[0].count));

  test('a crash loses what was not committed and keeps what was', async () => {
    await withClient(server.url, async (client) => {
      await client.query('create table seen (n integer)');
      await client.query('insert into seen values (1)');
      await client.query('begin');
      await client.query('insert into seen values (2)');
      await server.crash();
      await expect(client.query('commit')).rejects.toThrow();
    });
    await expect(withClient(server.url, async () => {})).rejects.toThrow(/ECONNREFUSED/);
    await server.start();
    expect(await count()).toBe(1);
  });

  test('a frozen server answers nothing until it thaws, then what was asked', async () => {
    await withClient(server.url, async (client) => {
      server.freeze();
      await expect(client.query('select 1')).rejects.toThrow(/timeout/i);
      server.thaw();
    });
    expect(await count()).toBe(1);
  });

  test('a proxy that drops the answer to COMMIT leaves the writer in doubt about what is stored', async () => {
    const proxy = await startTcpProxy(server.port);
    const through = new URL(server.url);
    through.port = String(proxy.port);
    await withClient(through.href, async (client) => {
      await client.query('begin');
      await client.query('insert into seen values (3)');
      proxy.set({ kind: 'drop_answer', holding: 'COMMIT\0' });
      await expect(client.query('commit')).rejects.toThrow();
    });
    expect(proxy.dropped()).toBe(1);
    expect(await count()).toBe(2);
    await proxy.close();
  });
});

describe('the network’s faults', () => {
  test('requests arrive, are lost or are cut as the weather says, and a clear sky heals new connections', async () => {
    const bodies: number[] = [];
    const server = createServer((request, response) => {
      let bytes = 0;
      request.on('error', () => {});
      request.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      request.on('end', () => {
        bodies.push(bytes);
        response.end('taken');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = await startTcpProxy((server.address() as AddressInfo).port);
    const post = async (bytes: number) =>
      (
        await fetch(`http://127.0.0.1:${proxy.port}/`, {
          method: 'POST',
          body: 'x'.repeat(bytes),
          signal: AbortSignal.timeout(1000),
        })
      ).text();

    expect(await post(10)).toBe('taken');
    proxy.set({ kind: 'drop_answer', holding: null });
    await expect(post(20)).rejects.toThrow();
    proxy.set({ kind: 'refuse' });
    proxy.reset();
    await expect(post(30)).rejects.toThrow();
    proxy.set({ kind: 'cut', after_bytes: 1000 });
    await expect(post(100_000)).rejects.toThrow();
    proxy.set({ kind: 'silent' });
    await expect(post(40)).rejects.toThrow(/timeout|aborted/i);
    proxy.reset();
    proxy.set({ kind: 'delay', ms: 5 });
    expect(await post(50)).toBe('taken');
    proxy.set({ kind: 'clear' });
    expect(await post(60)).toBe('taken');
    expect(bodies).toEqual([10, 20, 50, 60]);
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test('what was late is not overtaken by what follows under a clear sky: no network turns a stream’s order', async () => {
    const echo = createTcpServer((socket) => socket.on('error', () => {}).pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const proxy = await startTcpProxy((echo.address() as AddressInfo).port);
    const socket = connect(proxy.port, '127.0.0.1');
    let answered = '';
    socket.on('data', (piece: Buffer) => {
      answered += piece;
    });
    await once(socket, 'connect');
    for (const [letter, weather] of [
      ['a', { kind: 'delay', ms: 400 }],
      ['b', { kind: 'silent' }],
      ['c', { kind: 'delay', ms: 200 }],
      ['d', { kind: 'clear' }],
    ] as const) {
      proxy.set(weather);
      socket.write(letter);
      await expect.poll(() => proxy.seen(), { interval: 1 }).toBe('abcd'.indexOf(letter) + 1);
    }
    await expect.poll(() => answered).toHaveLength(4);
    expect(answered).toBe('abcd');
    socket.destroy();
    await proxy.close();
    await new Promise((resolve) => echo.close(resolve));
  });
});

describe('the disk’s faults', () => {
  test.runIf(canMount())('a full disk refuses a write, and takes it again once it is freed', () => {
    const disk = mountSmallDisk(1_000_000);
    try {
      const file = path.join(disk.folder, 'file');
      disk.fill();
      expect(() => writeFileSync(file, 'x'.repeat(10_000))).toThrow(/ENOSPC/);
      disk.free();
      writeFileSync(file, 'x'.repeat(10_000));
    } finally {
      disk.remove();
    }
  });
});
