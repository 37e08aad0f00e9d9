import diagnostics from 'node:diagnostics_channel';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeLease } from './lease.mjs';
import { dataFolder } from './project.mjs';
import { stopSignal } from './stop-signal.mjs';

/** How long requests under way may take to end before their connections are cut. Event streams never end by themselves. */
const requestGraceMs = 3_000;

/**
 * Node breaks every request off that is not read whole after five minutes: a long stream of captures is not. What
 * stops coming the intake breaks off itself.
 */
const longestRequestMs = 3_600_000;

/** The key of the functions that the application wants awaited before the process ends (see instrumentation.ts). */
export const beforeExit = Symbol.for('dead-letter-office.before-exit');

/**
 * Next's own handler waits for open event streams for ever and does not wait for the worker, so the end is ours:
 * take no new requests, let those under way finish, stop the worker, exit 0.
 * @param {number} port for the lease that keeps others from rebuilding under this server
 */
export function installWebShutdown(port) {
  const lease = join(dataFolder, 'web', `${process.pid}.json`);
  takeLease(lease, port);
  process.once('exit', () => rmSync(lease, { force: true }));

  /** @type {Set<import('node:http').Server>} */
  const servers = new Set();
  diagnostics.subscribe('http.server.request.start', ({ server }) => {
    server.requestTimeout = longestRequestMs;
    servers.add(server);
  });

  stopSignal().then(async () => {
    const closed = [...servers].map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeIdleConnections();
          setTimeout(() => server.closeAllConnections(), requestGraceMs).unref();
        }),
    );
    const stopped = (globalThis[beforeExit] ?? []).map((stop) => stop());
    const outcomes = await Promise.allSettled([...closed, ...stopped]);
    process.exit(outcomes.some(({ status }) => status === 'rejected') ? 1 : 0);
  });
}
