import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clusterUser, temporaryFolder } from '@/lib/cli/cluster-home.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { keepDatabaseRunning } from '@/lib/cli/keep-database.mjs';
import { provideInstallation } from '@/lib/cli/postgres-installation.mjs';
import { connectionString, initialiseCluster, newPassword, runServer } from '@/lib/cli/postgres-process.mjs';
import { processesOf, signalAll } from '@/test/support/stoppable-server';

let home: string;
let folder: string;
let url: string;
let said: string[];
let kept: { stop: () => Promise<void> };

beforeEach(async () => {
  const { bin } = await provideInstallation(null);
  const user = clusterUser();
  home = mkdtempSync(path.join(temporaryFolder(user), 'dlo-kept-'));
  folder = path.join(home, 'postgres');
  mkdirSync(folder, { mode: 0o700 });
  if (user) for (const one of [home, folder]) chownSync(one, user.uid, user.gid);
  const password = newPassword();
  initialiseCluster({ bin, folder, password, user });
  const port = await freePort();
  const log = path.join(home, 'log');
  const run = (signal?: AbortSignal) => runServer({ bin, folder, port, user, log, settings: ['fsync=off'], signal });
  url = connectionString({ port, password, database: 'postgres' });
  said = [];
  kept = keepDatabaseRunning(await run(), run, { say: (line) => said.push(line) });
});
afterEach(async () => {
  await kept.stop();
  rmSync(home, { recursive: true, force: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? expect.fail('no backend');
}

const postmaster = () => processesOf(folder)[0] ?? expect.fail('no server runs');

/** Waits for what is said, not for an answer of the port: a server about to end may still give one. */
async function answersAgain(times = 1): Promise<void> {
  await vi.waitFor(() => expect(said.filter((line) => line.includes('answers again'))).toHaveLength(times), 30_000);
  const client = await connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
}

test('a database whose postmaster is killed alone answers again, and again when that is killed too', async () => {
  const busy = await connect();
  const first = postmaster();
  process.kill(first, 'SIGKILL');
  await answersAgain();
  const second = postmaster();
  expect(second).not.toBe(first);
  process.kill(second, 'SIGKILL');
  await answersAgain(2);
  expect(said[0]).toBe('  The database ended by itself (SIGKILL); starting it again.');
  await busy.end().catch(() => {});
});

test('a database killed with all its processes answers again', async () => {
  signalAll(processesOf(folder), 'SIGKILL');
  await answersAgain();
});

test('a backend that outlives its postmaster delays the start and does not end the watch', async () => {
  const client = await connect();
  const backend = await backendOf(client);
  process.kill(backend, 'SIGSTOP');
  try {
    process.kill(postmaster(), 'SIGKILL');
    await vi.waitFor(() => expect(said.filter((line) => line.includes('did not start')).length).toBeGreaterThan(1), {
      timeout: 30_000,
    });
  } finally {
    process.kill(backend, 'SIGCONT');
  }
  expect(said[1]).toMatch(
    /did not start \(pre-existing shared memory block .* still in use; log: .*\); trying again in 0\.4 s/,
  );
  expect(said[2]).toMatch(/still in use; log: .*\); trying again in 0\.8 s/);
  await answersAgain();
  await client.end().catch(() => {});
});

test('a stop during the pause before the next start ends the watch and leaves nothing running', async () => {
  process.kill(postmaster(), 'SIGKILL');
  await vi.waitFor(() => expect(said).toHaveLength(1), 30_000);
  await kept.stop();
  expect(processesOf(folder).slice(1)).toEqual([]);
  expect(said).toEqual(['  The database ended by itself (SIGKILL); starting it again.']);
});
