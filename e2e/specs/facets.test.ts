import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { InspectorPanel } from '../drivers/inspector-panel';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'faulty_fields';
let browser: Browser;

beforeAll(async () => {
  const field = (work_key: string, geom_wkt: string, tile: Record<string, number> = {}) => ({
    work_key,
    failure_class: 'invalid_geometry',
    src_crs: 'EPSG:4326',
    geom_wkt,
    ...tile,
  });
  await captureAll(base_url, TASK, [
    field('crossed field 1', 'POLYGON((10 50, 10.1 50.1, 10.1 50, 10 50.1, 10 50))'),
    // latitude and longitude changed places, which the tile tells
    field(
      'crossed field 2',
      'POLYGON((49.85 11, 49.95 11.1, 49.95 11, 49.85 11.1, 49.85 11), (50 11.15, 50.01 11.16, 50.01 11.15, 50 11.15))',
      { tile_z: 10, tile_x: 543, tile_y: 347 },
    ),
    field('field with a far hole', 'POLYGON((10 50, 10.1 50, 10.1 50.1, 10 50), (30 30, 31 31, 31 30, 30 30))'),
    field('sound field', 'POLYGON((10 50, 10.1 50, 10.1 50.1, 10 50))'),
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe('the kinds of fault', () => {
  test('are a facet, a column, a typed condition and a column of the file that is taken away', async () => {
    const { page, complaints, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}`);
      expect(await triage.facet('Fault')).toEqual(
        expect.arrayContaining(['self_intersection, 2', 'hole_outside_shell, 2']),
      );
      await triage.choose('Fault', 'self_intersection');
      expect(new URL(page.url()).searchParams.getAll('fault')).toEqual(['self_intersection']);
      expect(await triage.total()).toBe(2);
      expect(await triage.rows.first().locator('.c-fault').innerText()).toMatch(
        /^self_intersection|^hole_outside_shell/,
      );
      expect(await accessibilityFaultsInBothThemes(page, '.facets')).toEqual([]);

      await triage.open(`?task_name=${TASK}`);
      await triage.typeCondition('fault:self_intersection fault:!hole_outside_shell');
      await page.waitForURL((url) => url.searchParams.getAll('fault').length === 2);
      await triage.settled();
      expect((await triage.conditions()).join()).toMatch(/fault\s*self_intersection.*not fault\s*hole_outside_shell/s);
      expect(await triage.total()).toBe(1);

      const { name, text } = await triage.takeAway('CSV');
      expect(name).toMatch(/\.csv$/);
      const [head, ...rows] = text
        .replace(/^\uFEFF/, '')
        .trim()
        .split(/\r?\n/);
      const at = head?.split(',').indexOf('fault_codes') ?? -1;
      expect(rows).toHaveLength(1);
      expect(rows[0]).toContain('crossed field 1');
      expect(rows[0]?.split(',')[at]).toContain('self_intersection');
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });
});

describe('the keys that the help names for an open entry', () => {
  test('choose a tab, the next and previous fault, and the next candidate', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}&fault=hole_outside_shell&fault=self_intersection&sort=failed_at`);
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Keys' });
      const own = help.locator('section', { has: page.getByRole('heading', { name: 'Open entry' }) });
      await own.locator('kbd').first().waitFor();
      expect(await own.locator('kbd').allInnerTexts()).toEqual(['1', '…', '5', 'n', 'N', 'c']);
      await page.keyboard.press('Escape');
      await help.waitFor({ state: 'detached' });

      await triage.rows.filter({ hasText: 'crossed field 2' }).locator('.c-key').click();
      const inspector = new InspectorPanel(page);
      await inspector.shows('crossed field 2');
      expect(await inspector.faultWords()).toHaveLength(2);
      await page.keyboard.press('4');
      await inspector.root.getByRole('tab', { name: /^History/, selected: true }).waitFor();
      await page.keyboard.press('n');
      await inspector.root.getByRole('tab', { name: /^Evidence/, selected: true }).waitFor();
      await page.waitForURL((url) => url.searchParams.get('fault_no') === '2');
      await page.keyboard.press('Shift+N');
      await page.waitForURL((url) => url.searchParams.get('fault_no') === '1');
      expect(new URL(page.url()).searchParams.getAll('fault')).toHaveLength(2);
      await page.keyboard.press('c');
      await inspector.candidates.first().getByRole('button').and(page.locator(':focus')).waitFor();
    } finally {
      await close();
    }
  });
});
