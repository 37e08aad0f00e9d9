import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './build.mjs';
import { killAllChildren, stopAllChildren } from './children.mjs';
import { privateBlobs, privateSpool } from './cluster-home.mjs';
import { installDependencies } from './dependencies.mjs';
import { isPortFree } from './free-port.mjs';
import { keepWebRunning } from './keep-web.mjs';
import { takeLease } from './lease.mjs';
import { startPrivateCluster } from './private-cluster.mjs';
import { dataFolder, logFile, makeDataFolder, parsePort, Refusal, root } from './project.mjs';
import { readableTail } from './readable-log.mjs';
import { didDemoBreakOff, hasDemo, isQueueEmpty, loadDemo, startDemoReceiver } from './start-demo.mjs';
import { runLogged, step } from './steps.mjs';
import { onStopSignals } from './stop-signal.mjs';
import { isWebReady, portBusyMessage, startWeb } from './web.mjs';

/**
 * `dlo start`: everything from a fresh clone to a page that answers, and all of it stopped again on the first Ctrl-C.
 * @param {string[]} args
 */
export async function start(args) {
  const { values } = parseArgs({
    args,
    options: { empty: { type: 'boolean', default: false }, port: { type: 'string' } },
  });
  const port = parsePort(values.port ?? process.env.PORT);
  makeDataFolder();
  const lease = takeLease(join(dataFolder, 'start.json'), port);
  if ('holder' in lease)
    throw new Refusal(
      `Dead Letter Office already runs from this folder (process ${lease.holder.pid}): http://127.0.0.1:${lease.holder.port}`,
    );

  let stopping = false;
  let stopDatabase = async () => {};
  const stop = async () => {
    stopping = true;
    await stopAllChildren();
    await stopDatabase();
    lease.release();
  };
  onStopSignals({
    first: () => {
      console.log('\n  Stopping. Press Ctrl-C again to force it.');
      stop().then(() => process.exit(0));
    },
    again: () => {
      killAllChildren();
      lease.release();
      process.exit(1);
    },
  });

  try {
    await run({
      port,
      empty: values.empty,
      onDatabase: (database) => {
        stopDatabase = database.stop;
      },
      goOn: () => {
        if (stopping) throw new Refusal('Stopped.');
      },
    });
  } catch (error) {
    // A step that a Ctrl-C has broken off fails too; its message would hide that nothing is wrong.
    if (stopping) return await new Promise(() => {});
    await stop();
    throw error;
  }
}

/**
 * @param {{ port: number, empty: boolean, onDatabase: (database: { stop: () => Promise<void> }) => void, goOn: () => void }} options
 *   `goOn` throws once a stop was asked for: what is started after that would not be stopped
 */
async function run({ port, empty, onDatabase, goOn }) {
  console.log('Dead Letter Office');
  if (!(await isPortFree(port))) throw new Refusal(portBusyMessage(port));
  let url = process.env.DATABASE_URL;
  if (!url) {
    const database = await startPrivateCluster();
    onDatabase(database);
    url = database.url;
  }
  // PORT also tells the demo where the server is.
  const env = { DATABASE_URL: url, PORT: String(port) };
  if (!process.env.DATABASE_URL && !process.env.DLO_BLOBS) env.DLO_BLOBS = privateBlobs();
  if (!process.env.DATABASE_URL && !process.env.DLO_SPOOL_DIR) env.DLO_SPOOL_DIR = makeSpool();
  goOn();
  await installDependencies(root);
  goOn();
  await step('Migrations', () =>
    runLogged(process.execPath, [join(root, 'lib', 'cli', 'dlo.mjs'), 'migrate'], {
      log: 'migrate',
      cwd: root,
      env: { ...process.env, ...env },
    }),
  );
  goOn();
  await ensureBuilt();
  goOn();

  if (!empty && !process.env.DLO_TARGETS) {
    const targets = await startDemoReceiver(env);
    if (targets) env.DLO_TARGETS = targets;
  }
  const log = logFile('web');
  goOn();
  keepPrevious(log);
  const startServer = () => startWeb({ port, env, log });
  const isReady = (child) => isWebReady({ port, child });
  const child = startServer();
  const has_worker = process.env.DLO_WORKER !== 'off';
  const ready = await step(has_worker ? 'Web and worker' : 'Web', () => isReady(child));
  goOn();
  if (!ready) throw new Refusal(`The server did not become ready. The end of ${log}:\n${readableTail(log)}`);
  console.log(`\n  Ready: http://127.0.0.1:${port}   (Ctrl-C stops it; log: ${log})\n`);
  if (!has_worker)
    console.log(
      '  DLO_WORKER=off: nothing is diagnosed, redriven or loaded from spools until `npx dlo worker` runs.\n',
    );

  const kept = keepWebRunning(child, { start: startServer, isReady, goOn, log });
  if (!empty && hasDemo()) await Promise.race([kept, fillWithDemo({ url, env, goOn })]);
  await kept;
}

/** @param {{ url: string, env: Record<string, string | undefined>, goOn: () => void }} options */
async function fillWithDemo({ url, env, goOn }) {
  const is_broken_off = didDemoBreakOff();
  if (!is_broken_off && !(await isQueueEmpty(url))) return;
  goOn();
  console.log(
    is_broken_off
      ? '  The demo broke off: running it again; what is there counts once.'
      : '  The queue is empty: running the demo pipeline, whose real failures will fill it (npm start -- --empty leaves it empty).',
  );
  const loaded = await loadDemo(env);
  console.log(
    loaded ? '  The demo is complete.' : '  The demo did not come to its end; the next start goes on with it.',
  );
}

/** @param {string} log the log of the run before stays readable beside the new one */
function keepPrevious(log) {
  try {
    renameSync(log, log.replace(/\.log$/, '.previous.log'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/**
 * The spool that the worker loads when none is named: beside the private database, so that it needs no thought.
 * @returns {string} its folder
 */
function makeSpool() {
  const spool = privateSpool();
  mkdirSync(spool, { recursive: true, mode: 0o770 });
  console.log(
    `  Spool: ${spool}. Captures that the server cannot take wait there (DLO_SPOOL_DIR in a pipeline names it).`,
  );
  return spool;
}
