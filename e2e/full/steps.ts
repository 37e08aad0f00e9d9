import type { Page } from 'playwright';
import type { TriagePage } from '@/e2e/drivers/triage-page';
import { percentile } from '@/test/bench/percentile';

const RUNS = 5;

/** Milliseconds from an act of the hand to the page that shows its answer. */
export type Step = (triage: TriagePage) => Promise<number>;

/** What a person does, each to be undone before the next. */
export const STEPS: Readonly<Record<string, Step>> = {
  'filters by a class': async (triage) => {
    const { page } = triage;
    const took = await timed(async () => {
      await page.locator('button.frow[aria-label^="crs_mismatch, "]').first().click();
      await page.locator('.chip', { hasText: 'crs_mismatch' }).waitFor();
      await answered(page);
    });
    await page.goBack();
    await triage.settled();
    return took;
  },

  'brushes a period': async (triage) => {
    const { page } = triage;
    const took = await timed(async () => {
      await dragOver(page, '.brush-field', 0.3, 0.6);
      await page.locator('.chip', { hasText: 'failed' }).waitFor();
      await answered(page);
    });
    await page.goBack();
    await triage.settled();
    return took;
  },

  'pans the map': async (triage) => {
    const took = await timed(async () => {
      await dragOver(triage.page, '.map-gl', 0.5, 0.35);
      await triage.mapIsDrawn();
    });
    await dragOver(triage.page, '.map-gl', 0.35, 0.5);
    await triage.mapIsDrawn();
    return took;
  },

  'opens an entry': async (triage) => {
    const took = await timed(() => triage.openRow(3));
    await triage.page.keyboard.press('Escape');
    await triage.inspector.waitFor({ state: 'detached' });
    return took;
  },
};

/** The answer to the filter is shown: from the condition on until then the page is marked as stale. */
const answered = (page: Page) => page.locator('.triage:not(.is-stale)').waitFor();

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

/** The median of a step on two pages, run by turns, after one run of each that warms up. */
export async function compare(
  step: Step,
  large: TriagePage,
  small: TriagePage,
): Promise<{ large_ms: number; small_ms: number }> {
  const times: { large: number[]; small: number[] } = { large: [], small: [] };
  await step(large);
  await step(small);
  for (let run = 0; run < RUNS; run++) {
    times.large.push(await step(large));
    times.small.push(await step(small));
  }
  return { large_ms: Math.round(percentile(times.large, 0.5)), small_ms: Math.round(percentile(times.small, 0.5)) };
}
