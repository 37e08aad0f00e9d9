import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '@/lib/cli/build.mjs';
import { stopAllChildren } from '@/lib/cli/children.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { logFile, root } from '@/lib/cli/project.mjs';
import { tail } from '@/lib/cli/steps.mjs';
import { isWebReady, startWeb } from '@/lib/cli/web.mjs';
import { generateEntries } from '@/test/bench/generate/entries';
import { makeTemplate } from '@/test/support/template-database';
import { withDatabase } from '@/test/support/test-server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the app answers over a million entries, and over a thousand. */
    large_url: string;
    small_url: string;
  }
}

const SIZES = { large_url: 1_000_000, small_url: 1_000 } as const;

export interface TwoQueues {
  large_url: string;
  small_url: string;
  stop: () => Promise<void>;
}

/** Runs the built app twice, with its index, over a generated queue of a million entries and over one of a thousand. */
export async function startTwoQueues(): Promise<TwoQueues> {
  const template = await makeTemplate(root);
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-full-'));
  const admin = new pg.Pool({ connectionString: template.server_url, max: 1 });
  const made: string[] = [];
  const stop = async () => {
    await stopAllChildren();
    for (const name of made) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
    await template.remove();
  };
  async function start(key: keyof typeof SIZES): Promise<string> {
    const name = `${template.name}_${key}`;
    await admin.query(`create database ${name} template ${template.name}`);
    made.push(name);
    const url = withDatabase(template.server_url, name);
    const pool = new pg.Pool({ connectionString: url });
    await generateEntries(pool, SIZES[key]).finally(() => pool.end());
    const port = await freePort();
    const log = logFile(`full-${key}`);
    const env = { DATABASE_URL: url, DLO_WORKER: 'off', DLO_BLOBS: path.join(folder, key) };
    const child = startWeb({ port, env, log });
    if (!(await isWebReady({ port, child }))) throw new Error(`The app did not become ready:\n${tail(log)}`);
    await indexReady(`http://127.0.0.1:${port}`);
    return `http://127.0.0.1:${port}`;
  }
  try {
    await ensureBuilt();
    return { large_url: await start('large_url'), small_url: await start('small_url'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** For the tests: both apps, for as long as they run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { large_url, small_url, stop } = await startTwoQueues();
  project.provide('large_url', large_url);
  project.provide('small_url', small_url);
  return stop;
}

/** Resolves once the index answers; the run's own limit ends a wait in vain. */
async function indexReady(base_url: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${base_url}/metrics`)).text();
    if (/^dlo_index_ready 1$/m.test(metrics)) return;
    await pause(200);
  }
}
