import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type AppPage, openApp } from '@/e2e/drivers/app-page';
import { launchBrowser } from '@/e2e/drivers/browser';
import { TriagePage } from '@/e2e/drivers/triage-page';

const RUNS = 5;
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

/** Milliseconds from an act of the hand to the page that shows its answer. */
type Step = (triage: TriagePage) => Promise<number>;

const filters: Step = async (triage) => {
  const took = await timed(() => triage.choose('Class', 'crs_mismatch'));
  await triage.page.goBack();
  await triage.settled();
  return took;
};

const brushes: Step = async (triage) => {
  const { page } = triage;
  const took = await timed(async () => {
    await dragOver(page, '.brush-field', 0.3, 0.6);
    await page.locator('.chip', { hasText: 'failed' }).waitFor();
    await triage.settled();
  });
  await page.goBack();
  await triage.settled();
  return took;
};

const pans: Step = async (triage) => {
  const took = await timed(async () => {
    await dragOver(triage.page, '.map-gl', 0.5, 0.35);
    await triage.mapIsDrawn();
  });
  await dragOver(triage.page, '.map-gl', 0.35, 0.5);
  await triage.mapIsDrawn();
  return took;
};

const opens: Step = async (triage) => {
  const took = await timed(() => triage.openRow(3));
  await triage.page.keyboard.press('Escape');
  await triage.inspector.waitFor({ state: 'detached' });
  return took;
};

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

async function dragOver(page: Page, selector: string, from: number, to: number): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the page`);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 5 });
  await page.mouse.up();
}

/** How many times longer the median takes over a million entries than over a thousand, run by turns. */
async function ratioOf(step: Step): Promise<{ ratio: number; words: string }> {
  const times: { large: number[]; small: number[] } = { large: [], small: [] };
  await step(large);
  await step(small);
  for (let run = 0; run < RUNS; run++) {
    times.large.push(await step(large));
    times.small.push(await step(small));
  }
  const [at_large, at_small] = [median(times.large), median(times.small)];
  const words = `${Math.round(at_large)} ms over a million entries, ${Math.round(at_small)} ms over a thousand`;
  return { ratio: at_large / at_small, words };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('a million entries are all on the page: the depth, what is on the map, in view and beside it add up', async () => {
  const total = await large.total();
  expect(total).toBeGreaterThan(500_000);
  expect(total).toBeGreaterThan(500 * (await small.total()));
});

test.each([
  ['filters by a class', filters],
  ['brushes a period', brushes],
  ['pans the map', pans],
  ['opens an entry', opens],
] as const)('who %s waits about as long over a million entries as over a thousand', async (_what, step) => {
  const { ratio, words } = await ratioOf(step);
  expect(ratio, words).toBeLessThan(MOST);
});

test('nothing went wrong in either page meanwhile', () => {
  expect(apps.flatMap(({ complaints }) => complaints)).toEqual([]);
});
