import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '@/lib/cli/free-port.mjs';
import { canMount, mountSmallDisk, type SmallDisk } from '@/test/chaos/faults/full-disk';
import { startTcpProxy, type TcpProxy } from '@/test/chaos/faults/tcp-proxy';
import { type Message, makeVictim, type Victim } from '@/test/chaos/faults/victim';
import { makeStoppableServer, type StoppableServer } from '@/test/support/stoppable-server';

/** Everything between a failing task and its row, each part a process of its own or behind a proxy. */
export interface World {
  postgres: StoppableServer;
  /** Between the clients and the HTTP door; between that door, or the loader, and the database. */
  http: TcpProxy;
  intake_to_postgres: TcpProxy;
  loader_to_postgres: TcpProxy;
  intake: Victim;
  capturers: readonly Victim[];
  loader: Victim;
  spool: string;
  /** The spool's own filesystem, where this process may mount one. */
  disk: SmallDisk | null;
  blobs: string;
  /** For the checks: past every proxy. */
  pool: pg.Pool;
  /** What the capturers have said since the last `forget`. */
  said: Message[];
  forget: () => void;
  remove: () => Promise<void>;
}

/** Room for some blobs of a megabyte: a disk that also fills up by itself. */
const DISK_BYTES = 24_000_000;
const CAPTURERS = 2;

/** `wrapper`: put before the capturers' command, e.g. strace. */
export async function makeWorld({ wrapper = [] }: { wrapper?: readonly string[] } = {}): Promise<World> {
  const postgres = await makeStoppableServer();
  const home = mkdtempSync(path.join(tmpdir(), 'dlo-chaos-'));
  const disk = canMount() ? mountSmallDisk(DISK_BYTES) : null;
  const spool = path.join(disk?.folder ?? home, 'spool');
  const blobs = path.join(home, 'blobs');
  mkdirSync(spool, { recursive: true });
  const intake_port = await freePort();
  const [http, intake_to_postgres, loader_to_postgres] = await Promise.all([
    startTcpProxy(intake_port),
    startTcpProxy(postgres.port),
    startTcpProxy(postgres.port),
  ]);
  const server = { DLO_LOG_LEVEL: 'silent', DLO_BLOBS: blobs, DLO_SPOOL_DIR: spool };
  const through = (proxy: TcpProxy) => {
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    return url.href;
  };
  const intake = makeVictim({
    script: 'test/chaos/processes/intake.ts',
    environment: { ...server, DATABASE_URL: through(intake_to_postgres), CHAOS_PORT: String(intake_port) },
  });
  const loader = makeVictim({
    script: 'test/chaos/processes/loader.ts',
    environment: { ...server, DATABASE_URL: through(loader_to_postgres) },
  });
  const capturers = Array.from({ length: CAPTURERS }, () =>
    makeVictim({
      script: 'test/chaos/processes/capturer.ts',
      environment: { CHAOS_URL: `http://127.0.0.1:${http.port}`, CHAOS_SPOOL: spool },
      wrapper,
    }),
  );
  const said: Message[] = [];
  for (const victim of capturers) victim.on_message((message) => said.push(message));
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  pool.on('error', () => {});
  const victims = [intake, loader, ...capturers];
  const remove = async () => {
    await Promise.all(victims.map((victim) => victim.kill()));
    await pool.end();
    await Promise.all([http, intake_to_postgres, loader_to_postgres].map((proxy) => proxy.close()));
    await postgres.remove();
    disk?.remove();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    await Promise.all(victims.map((victim) => victim.start()));
  } catch (error) {
    await remove();
    throw error;
  }
  const forget = () => void said.splice(0);
  return {
    postgres,
    http,
    intake_to_postgres,
    loader_to_postgres,
    intake,
    capturers,
    loader,
    spool,
    disk,
    blobs,
    pool,
    said,
    forget,
    remove,
  };
}
