import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '@/lib/cli/build.mjs';
import { stopAllChildren } from '@/lib/cli/children.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { logFile } from '@/lib/cli/project.mjs';
import { startDemoReceiver } from '@/lib/cli/start-demo.mjs';
import { tail } from '@/lib/cli/steps.mjs';
import { isWebReady, startWeb } from '@/lib/cli/web.mjs';
import { makeTemplate } from '@/test/support/template-database';
import { withDatabase } from '@/test/support/test-server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the built app answers, without a slash at the end. */
    base_url: string;
    /** Connection string of the database behind it. */
    database_url: string;
    /** The folder that it watches as its spool. */
    spool_folder: string;
  }
}

/**
 * Runs the built app as a user would: `dlo web` with the worker inside and the demo's targets, on a free port, against
 * a database made for this run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The app takes the template itself: a browser run clones nothing from it.
  const database = await makeTemplate(project.config.root);
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-e2e-'));
  const spool_folder = path.join(folder, 'spool');
  mkdirSync(spool_folder);
  const stop = async () => {
    await stopAllChildren();
    rmSync(folder, { recursive: true, force: true });
    await database.remove();
  };
  try {
    await ensureBuilt();
    const url = withDatabase(database.server_url, database.name);
    const port = await freePort();
    const targets = await startDemoReceiver({ DATABASE_URL: url, PORT: String(port) });
    const log = logFile('e2e-web');
    const child = startWeb({
      port,
      env: {
        DATABASE_URL: url,
        DLO_SPOOL_DIR: spool_folder,
        DLO_BLOBS: path.join(folder, 'blobs'),
        ...(targets ? { DLO_TARGETS: targets } : {}),
      },
      log,
    });
    if (!(await isWebReady({ port, child }))) throw new Error(`The app did not become ready:\n${tail(log)}`);
    project.provide('base_url', `http://127.0.0.1:${port}`);
    project.provide('database_url', url);
    project.provide('spool_folder', spool_folder);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
