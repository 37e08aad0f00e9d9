import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type AppPage, openApp } from '@/e2e/drivers/app-page';
import { launchBrowser } from '@/e2e/drivers/browser';
import { TriagePage } from '@/e2e/drivers/triage-page';
import { compare, STEPS } from './steps';

/** What a thousand times the entries may cost in the hand of a person: noise of a busy machine included. */
const MOST = 4;

let browser: Browser;
const apps: AppPage[] = [];
let large: TriagePage;
let small: TriagePage;

beforeAll(async () => {
  browser = await launchBrowser();
  [large, small] = await Promise.all([open(inject('large_url')), open(inject('small_url'))]);
});
afterAll(() => browser?.close());

async function open(base_url: string): Promise<TriagePage> {
  const app = await openApp(browser, base_url);
  apps.push(app);
  const triage = new TriagePage(app.page);
  await triage.open();
  return triage;
}

test('a million entries are all on the page: the depth, what is on the map, in view and beside it add up', async () => {
  const total = await large.total();
  expect(total).toBeGreaterThan(500_000);
  expect(total).toBeGreaterThan(500 * (await small.total()));
});

test.each(Object.entries(STEPS))(
  'who %s waits about as long over a million entries as over a thousand',
  async (_what, step) => {
    const { large_ms, small_ms } = await compare(step, large, small);
    expect(large_ms / small_ms, `${large_ms} ms over a million entries, ${small_ms} ms over a thousand`).toBeLessThan(
      MOST,
    );
  },
);

test('nothing went wrong in either page meanwhile', () => {
  expect(apps.flatMap(({ complaints }) => complaints)).toEqual([]);
});
