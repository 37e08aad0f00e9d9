import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { stopChild } from '@/lib/cli/children.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { isWebReady, startWeb } from '@/lib/cli/web.mjs';
import { makeStoppableServer, type StoppableServer } from '@/test/support/stoppable-server';
import { type AppPage, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { TriagePage } from '../drivers/triage-page';

/** An app of its own on a database that can be stopped; the shared one goes on beside it. */
let database: StoppableServer;
let child: ReturnType<typeof startWeb>;
let base_url: string;
let browser: Browser;
let app: AppPage;

beforeAll(async () => {
  expect(inject('base_url')).toBeTruthy();
  database = await makeStoppableServer();
  const port = await freePort();
  base_url = `http://127.0.0.1:${port}`;
  child = startWeb({ port, env: { DATABASE_URL: database.url, DLO_LOG_LEVEL: 'fatal' } });
  if (!(await isWebReady({ port, child }))) throw new Error('the app did not become ready');
  await capture('first');
  browser = await launchBrowser();
  app = await openApp(browser, base_url);
});
afterAll(async () => {
  await app?.close();
  await browser?.close();
  if (child) await stopChild(child, 10_000);
  await database?.remove();
});

const capture = (work_key: string) =>
  fetch(`${base_url}/api/dead-letters`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ work_key, task_name: 'clip', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326' }),
  });

test('while the database is away the shown data stays, a new page says what is wrong, JSON says 503, and all recovers by itself', async () => {
  const triage = new TriagePage(app.page);
  await triage.open();
  expect(await triage.total()).toBe(1);

  await database.stop();
  expect((await capture('lost')).status).toBe(503);
  expect((await (await capture('lost')).json()).error.code).toBe('database_unavailable');
  expect((await fetch(`${base_url}/healthz`)).status).toBe(200);
  expect((await fetch(`${base_url}/readyz`)).status).toBe(503);
  await app.page
    .getByText(/database does not answer/i)
    .first()
    .waitFor();
  expect(await triage.rows.count()).toBe(1);
  expect(await app.page.getByRole('button', { name: 'Redrive…' }).first().isDisabled()).toBe(true);

  const other = await openApp(browser, base_url);
  try {
    await other.page.goto('/');
    await other.page
      .getByRole('alert')
      .filter({ hasText: /database/i })
      .first()
      .waitFor();

    await database.start();
    await vi.waitUntil(async () => (await capture('second')).ok, { timeout: 60_000, interval: 500 });
    await other.page.getByRole('region', { name: 'Entries' }).getByRole('grid').waitFor();
    await app.page
      .getByText(/database does not answer/i)
      .first()
      .waitFor({ state: 'detached' });
    await app.page.reload();
    await triage.grid.waitFor();
    expect(await triage.total()).toBe(2);
  } finally {
    await other.close();
  }
});
