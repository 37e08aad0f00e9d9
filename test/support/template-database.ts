import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '@/db/migrate';
import { provideTestServer, withDatabase } from '@/test/support/test-server';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser connection string of the server on which tests make their databases. */
    test_server_url: string;
    /** Name of the migrated, otherwise empty database that they are cloned from. */
    template_database: string;
  }
}

/** Runs one statement on its own connection: the template must have none, or it cannot be cloned. */
async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A migrated, otherwise empty database on a server for tests; `remove` also ends the server if it was started for it. */
export async function makeTemplate(
  root: string,
): Promise<{ server_url: string; name: string; remove: () => Promise<void> }> {
  const server = await provideTestServer();
  const name = `dlo_template_${process.pid}_${randomBytes(4).toString('hex')}`;
  const remove = async () => {
    if (process.env.DLO_TEST_DATABASE_URL) await runOnce(server.url, `drop database if exists ${name} with (force)`);
    await server.stop();
  };
  try {
    await runOnce(server.url, `create database ${name}`);
    await migrate({ url: withDatabase(server.url, name), folder: join(root, 'migrations') });
    return { server_url: server.url, name, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Makes the template once for all test files, and gives back the way to remove what it made. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const template = await makeTemplate(project.config.root);
  project.provide('test_server_url', template.server_url);
  project.provide('template_database', template.name);
  return template.remove;
}
