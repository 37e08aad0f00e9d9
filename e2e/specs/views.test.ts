import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll } from '../drivers/capture';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'viewed_tiles';
const NAME = '<img src=x onerror="window.hacked=1"> nightly';
let browser: Browser;

beforeAll(async () => {
  await captureAll(
    base_url,
    TASK,
    [1, 2, 3].map((n) => ({
      work_key: `viewed ${n}`,
      failure_class: n === 1 ? 'oom' : 'unknown',
      geom_wkt: 'POINT (10 50)',
    })),
  );
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const button = (page: Page) => page.locator('.views-button');
const menu = (page: Page) => page.getByRole('dialog', { name: 'Views' });

describe('saved views', () => {
  test('are saved, changed, renamed, deleted and brought back, and found in the palette', async () => {
    const { page, complaints, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}&failure_class=oom`);
      await button(page).click();
      await menu(page).getByLabel('Save this filter as a view').fill(NAME);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.has('view'));
      expect(await button(page).getAttribute('aria-label')).toBe(`View: ${NAME}`);

      await triage.choose('Class', 'unknown');
      expect(await button(page).getAttribute('aria-label')).toBe(`View: ${NAME}, changed`);
      await button(page).click();
      expect(await accessibilityFaultsInBothThemes(page, '.popover')).toEqual([]);
      await menu(page).getByRole('button', { name: 'Update to this filter' }).click();
      await page.locator('.views-button:not(:has-text("changed"))').waitFor();
      await button(page).click();
      await menu(page).getByRole('button', { name: 'Rename…' }).click();
      await menu(page).getByLabel('New name').fill('Both');
      await page.keyboard.press('Enter');
      await menu(page).getByRole('button', { name: 'Make default' }).click();
      await page.keyboard.press('Escape');
      await page.locator('.views-button', { hasText: 'Both' }).waitFor();

      await page.goto('/');
      await page.waitForURL((url) => url.searchParams.getAll('failure_class').length === 2);
      await page.locator('.views-button', { hasText: 'Both' }).waitFor();
      await page.goto(`/?task_name=${TASK}`);
      await triage.settled();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('view both');
      await page.getByRole('option', { name: /View: Both/ }).waitFor();
      expect(await accessibilityFaultsInBothThemes(page, '.palette')).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.has('view'));

      await button(page).click();
      await menu(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('View “Both” deleted').waitFor();
      await page.keyboard.press('z');
      await button(page).click();
      await menu(page).getByRole('button', { name: /^Both/ }).first().waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  test('of a condition that nobody knows open, and say so', async () => {
    const made = await fetch(`${base_url}/api/views`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'From another time', search: `?task_name=${TASK}&colour=red` }),
    });
    expect(made.status).toBe(200);
    const { page, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open();
      await button(page).click();
      await menu(page).getByRole('button', { name: 'From another time' }).click();
      await page.locator('.chip.invalid', { hasText: 'colour' }).waitFor();
      await triage.settled();
      expect(await triage.total()).toBe(3);
      expect(await button(page).getAttribute('aria-label')).toBe('View: From another time');
    } finally {
      await close();
    }
  });
});

describe('the keys of the triage page', () => {
  test('do what their dialog says, one after the other, and letters can be switched off', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}`);
      const press = (keys: string) => page.keyboard.press(keys);
      const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
      await press('j');
      await press('j');
      await press('k');
      await page.locator('tr.is-cursor[aria-rowindex="2"]').waitFor();
      await press('x');
      await page.locator('tr[aria-selected="true"]').waitFor();
      for (const [key, action] of [
        ['r', /Redrive/],
        ['e', /Abandon/],
        ['q', /Quarantine/],
      ] as const) {
        await press(key);
        await dialog(action).waitFor();
        await press('Escape');
        await dialog(action).waitFor({ state: 'detached' });
      }
      await press('a');
      await page.locator('.bulk', { hasText: /all\s*3/ }).waitFor();
      await press('Escape');
      await page.locator('.bulk:not(.ticked)').waitFor();
      await press('Enter');
      await page.waitForURL((url) => url.searchParams.has('entry'));
      await page.locator('.insp-in').getByRole('tab').nth(4).waitFor();
      await press('3');
      await page.waitForURL((url) => url.searchParams.get('tab') === 'traceback');
      await press('Escape');
      await page.waitForURL((url) => !url.searchParams.has('entry'));
      await press('s');
      await page.waitForURL((url) => url.searchParams.get('group') === 'signatures');
      await press('y');
      await page.getByText('Link copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
      await press('/');
      await page.locator('#add-condition:focus').waitFor();
      await press('Escape');
      await press('Escape');
      await press('?');
      const help = dialog('Keys');
      await help.locator('kbd').first().waitFor();
      expect((await help.locator('kbd').allInnerTexts()).join(' ')).toMatch(
        /^j k Enter x a .*Esc 1 … 5 n N c r e q .*z Ctrl K \? \+ -/,
      );
      await help.getByRole('checkbox').uncheck();
      await press('Escape');
      await help.waitFor({ state: 'detached' });
      await press('x');
      await press('Control+k');
      await dialog('Commands').waitFor();
      expect(await page.locator('tr[aria-selected="true"]').count()).toBe(0);
      await page.keyboard.type('single letter');
      await press('Enter');
      await dialog('Commands').waitFor({ state: 'detached' });
      await page.waitForFunction(() => JSON.parse(localStorage.getItem('dlo-display') ?? '{}').letter_keys === true);
      await press('g');
      await press('o');
      await page.waitForURL('**/operations');
      await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await press('g');
      await press('t');
      await page.waitForURL((url) => url.pathname === '/');
    } finally {
      await close();
    }
  });
});
