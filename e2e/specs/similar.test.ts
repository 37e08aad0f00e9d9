import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { InspectorPanel } from '../drivers/inspector-panel';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'similar_lakes';
let browser: Browser;
let ids: Map<string, string>;

beforeAll(async () => {
  const lake = (i: number, error_text: string, src_crs = 'EPSG:4326') => ({
    work_key: `lake ${i}`,
    failure_class: 'invalid_geometry',
    error_type: 'TopologyException',
    error_text,
    src_crs,
    geom_wkt: `POLYGON((${10 + i / 100} 50, ${10 + i / 100} 50.001, ${10.001 + i / 100} 50, ${10 + i / 100} 50))`,
  });
  ids = await captureAll(base_url, TASK, [
    lake(0, 'the shore of a lake crosses itself'),
    lake(1, 'the shore of a lake crosses itself'),
    lake(2, 'the shore of a lake crosses itself', 'EPSG:4258'),
    lake(3, 'an island is outside its lake'),
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('what is like an entry is counted, and a count opens its filter with the entry still open', async () => {
  const { page, complaints, close } = await openApp(browser, base_url);
  try {
    const id = ids.get('lake 0');
    await page.goto(`/?task_name=${TASK}&entry=${id}`);
    const inspector = new InspectorPanel(page);
    await inspector.shows('lake 0');
    const similar = inspector.root.getByRole('region', { name: 'Similar' });
    const same = similar.getByRole('link', { name: /same signature$/ });
    expect(await same.innerText()).toMatch(/^3\s+same signature$/);
    expect(await similar.getByRole('link', { name: /same source$/ }).innerText()).toMatch(/^3\s/);
    await similar.scrollIntoViewIfNeeded();
    expect(await accessibilityFaultsInBothThemes(page, '.similar')).toEqual([]);

    await same.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('signature') && url.searchParams.get('entry') === id);
    const triage = new TriagePage(page);
    await triage.settled();
    expect(await triage.total()).toBe(3);
    const keys = await Promise.all([0, 1, 2].map((index) => triage.keyOf(index)));
    expect(keys.sort()).toEqual(['lake 0', 'lake 1', 'lake 2']);
    await inspector.shows('lake 0');
    expect(complaints).toEqual([]);
  } finally {
    await close();
  }
});
