import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isBuildCurrent } from './build.mjs';
import { startChild } from './children.mjs';
import { isPortFree } from './free-port.mjs';
import { parsePort, Refusal, root } from './project.mjs';

/** @param {number} port */
export const portBusyMessage = (port) =>
  `Port ${port} on 127.0.0.1 is in use by another program. Stop that, or choose another: PORT=${port + 1} npm start`;

/**
 * `dlo web`: becomes the web server, in this very process. The worker runs inside unless DLO_WORKER=off.
 * @param {string[]} args
 */
export async function web(args) {
  const { values } = parseArgs({ args, options: { port: { type: 'string' } } });
  const port = parsePort(values.port ?? process.env.PORT);
  if (!process.env.DATABASE_URL)
    throw new Refusal(
      'DATABASE_URL is not set and the private database does not run. Set it, or use `npm start`, which starts both.',
    );
  if (!isBuildCurrent(root))
    throw new Refusal('The pages are not built, or older than their sources. Run: npm run build');
  if (!(await isPortFree(port))) throw new Refusal(portBusyMessage(port));
  Object.assign(process.env, {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NEXT_MANUAL_SIG_HANDLE: 'true',
    PORT: String(port),
  });
  process.chdir(root);
  const { installWebShutdown } = await import('./web-shutdown.mjs');
  installWebShutdown(port);
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  process.argv = [process.execPath, next, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  createRequire(import.meta.url)(next);
}

/**
 * Starts `dlo web` as a child that ends when this process does.
 * @param {{ port: number, env: Record<string, string | undefined>, log?: string }} options
 */
export function startWeb({ port, env, log }) {
  return startChild(process.execPath, [join(root, 'lib', 'cli', 'dlo.mjs'), 'web'], {
    cwd: root,
    env: { ...process.env, ...env, PORT: String(port) },
    log,
    follow: true,
  });
}

/**
 * @param {{ port: number, child: import('node:child_process').ChildProcess, patienceMs?: number }} server
 * @returns {Promise<boolean>} true once /readyz answers 200; false when the server ends first or the patience does
 */
export async function isWebReady({ port, child, patienceMs = 60_000 }) {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) });
      await response.arrayBuffer();
      if (response.ok) return true;
    } catch {
      // Not listening yet.
    }
    await wait(100);
  }
  return false;
}
