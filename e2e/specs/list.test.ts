import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { EntryTable } from '../drivers/entry-table';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'hourly_tiles';
const COUNT = 260;
/** Unit n failed n hours after this. */
const START = Date.UTC(2026, 9, 1);
const momentOf = (n: number) => new Date(START + n * 3_600_000).toISOString();
const keyOf = (n: number) => `hour ${String(n).padStart(3, '0')}`;
let browser: Browser;

beforeAll(async () => {
  await captureAll(
    base_url,
    TASK,
    Array.from({ length: COUNT }, (_, n) => ({
      work_key: keyOf(n),
      failure_class: 'oom',
      error_text: n === COUNT - 1 ? '=killed()' : 'killed',
      code_version: 'v1',
      failed_at: momentOf(n),
    })),
  );
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('the list', () => {
  test('is entered at a moment, scrolls in both directions from there, keeps what was ticked, and goes back', async () => {
    const { page, complaints, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      const table = new EntryTable(page);
      await triage.open(`?task_name=${TASK}`);
      await table.tick(keyOf(COUNT - 1));
      await table.goTo(momentOf(130).slice(0, 16).replace('T', ' '));
      expect(new URL(page.url()).searchParams.get('at')).toBe(momentOf(130));
      await expect.poll(() => table.topKey(), { timeout: 30_000 }).toBe(keyOf(130));
      expect(await triage.grid.getAttribute('aria-rowcount')).toBe('-1');
      // those before it come without moving it, up to the newest
      await table.scrollUntil('up', keyOf(COUNT - 1));
      await expect.poll(() => triage.grid.getAttribute('aria-rowcount'), { timeout: 30_000 }).toBe(String(COUNT + 1));
      expect(await table.isTicked(keyOf(COUNT - 1))).toBe(true);
      await table.scrollUntil('down', keyOf(0));

      await page.getByRole('button', { name: 'Back to newest' }).click();
      await expect.poll(() => table.topKey(), { timeout: 30_000 }).toBe(keyOf(COUNT - 1));
      expect(new URL(page.url()).searchParams.has('at')).toBe(false);
      await table.sortBy('Last failed');
      await expect.poll(() => table.topKey(), { timeout: 30_000 }).toBe(keyOf(0));
      expect(await page.getByText('1 not in the rows loaded').count()).toBe(1);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  test('has the columns that were chosen, as wide and in the order that was chosen, until the default is asked for', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      const table = new EntryTable(page);
      await triage.open(`?task_name=${TASK}`);
      const usual = await table.columns();
      expect(usual).not.toContain('task_name');
      await table.openMenu();
      expect(await accessibilityFaultsInBothThemes(page, '.popover')).toEqual([]);
      await table.choose('Code version', true);
      await table.choose('Verdict', false);
      // by the keyboard alone, and the focus stays on what moved
      await table.press('Code version: to the left');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      const chosen = [...usual.filter((id) => id !== 'crs_verdict')];
      chosen.splice(-2, 0, 'code_version');
      await expect.poll(() => table.columns(), { timeout: 30_000 }).toEqual(chosen);

      await table.dragEdge('code_version', 60);
      const px = 108 + 60;
      await expect.poll(() => table.widthOf('code_version'), { timeout: 30_000 }).toBe(px);
      const moved = ['code_version', ...chosen.filter((id) => id !== 'code_version')];
      await table.dragHead('code_version', 'work_key');
      await expect.poll(() => table.columns(), { timeout: 30_000 }).toEqual(moved);
      await page.reload();
      await triage.grid.waitFor();
      await expect.poll(() => table.columns()).toEqual(moved);
      await expect.poll(() => table.widthOf('code_version'), { timeout: 30_000 }).toBe(px);

      await table.openMenu();
      await page.getByRole('button', { name: 'Back to the default' }).click();
      await expect.poll(() => table.columns(), { timeout: 30_000 }).toEqual(usual);
    } finally {
      await close();
    }
  });

  test('copies the rows that are ticked, or loaded, as CSV with the columns on the page', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const triage = new TriagePage(page);
      const table = new EntryTable(page);
      await triage.open(`?task_name=${TASK}`);
      await page.keyboard.press('Shift+C');
      await page.getByText(new RegExp(`\\d+ rows copied as CSV, of ${COUNT}`)).waitFor();
      await table.tick(keyOf(COUNT - 1));
      await page.keyboard.press('Shift+C');
      await page.getByText('1 row copied as CSV').waitFor();
      const lines = (await page.evaluate(() => navigator.clipboard.readText())).trim().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(/^failure_class,work_key,/);
      expect(lines[1]).toContain(`oom,${keyOf(COUNT - 1)},`);
      expect(lines[1]).toContain('"\'=killed()"');
    } finally {
      await close();
    }
  });
});
