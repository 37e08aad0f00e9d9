import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll } from '../drivers/capture';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'grouped_tiles';
const DAY_MS = 86_400_000;
let browser: Browser;

beforeAll(async () => {
  const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const failed = (work_key: string, failure_class: string, error_text: string, days_ago: number) => ({
    work_key,
    failure_class,
    error_type: 'TileError',
    error_text,
    code_version: `build-${days_ago}`,
    failed_at: new Date(noon - days_ago * DAY_MS).toISOString(),
  });
  await captureAll(base_url, TASK, [
    ...[9, 8, 7].map((days) => failed(`grouped old ${days}`, 'oom', 'no memory left for the mosaic', days)),
    failed('grouped new', 'crs_mismatch', 'bounds lie elsewhere', 0),
    { ...failed('grouped broken clock', 'oom', 'no memory left for the mosaic', 0), failed_at: '1985-01-01T00:00:00Z' },
  ]);
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('the list by signature and the table by class and time', () => {
  test('show trends and tasks, are walked by keys, and lead to the entries they count', async () => {
    const { page, complaints, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await page.goto(`/?task_name=${TASK}&group=signatures`);
      const rows = page.locator('table.signatures tbody tr');
      await rows.locator('.spark').first().waitFor();
      expect(await rows.count()).toBe(2);
      expect(await rows.first().innerText()).toContain('no memory left');
      expect(await rows.first().locator('.spark').getAttribute('aria-label')).toMatch(/^stopped: /);
      expect(await page.getByRole('region', { name: /^Failed per/ }).innerText()).toContain(
        '1 before 2000 or in the future, not drawn',
      );
      await page.getByRole('button', { name: 'Trend' }).click();
      await page.waitForURL(/by=trend/);
      expect(await rows.first().innerText()).toContain('bounds lie elsewhere');
      expect(await accessibilityFaultsInBothThemes(page, '.list')).toEqual([]);
      await page.locator('body').click({ position: { x: 2, y: 2 } });
      await page.keyboard.press('j');
      await page.locator('table.signatures tr.is-cursor').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.has('signature'));
      await triage.settled();
      expect(await triage.total()).toBe(1);

      await page.goto(`/?task_name=${TASK}&group=time`);
      const cell = page.getByRole('link', { name: /^crs_mismatch, .*: 1$/ });
      await cell.waitFor();
      expect(await accessibilityFaultsInBothThemes(page, '.list')).toEqual([]);
      // one cell is on the way of Tab; the arrows go from there
      const start = page.locator('[data-cell][tabindex="0"]');
      expect(await start.count()).toBe(1);
      await start.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowDown');
      expect(await cell.evaluate((link) => link === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('failure_class') === 'crs_mismatch');
      await triage.settled();
      expect(await triage.total()).toBe(1);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  test('the histogram says a bar in numbers, and is brushed by drag and by keyboard', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}`);
      const field = page.locator('.brush-field');
      const box = (await field.boundingBox())!;
      await page.mouse.move(box.x + box.width - 4, box.y + 10);
      expect(await page.locator('.tip').innerText()).toMatch(/crs_mismatch\s*1[\s\S]*first failed: build-0/);
      await page.mouse.move(box.x + 2, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.35, box.y + 10, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL((url) => url.searchParams.has('until'));
      await triage.settled();
      expect(await triage.total()).toBe(3);
      const from = page.getByRole('slider', { name: 'Failed from' });
      await from.focus();
      await page.keyboard.press('ArrowRight');
      await triage.settled();
      expect(await triage.total()).toBe(2);
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => !url.searchParams.has('since'));
    } finally {
      await close();
    }
  });
});
