import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { DisplacementPanel } from '../drivers/displacement-panel';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'displaced_wells';
let browser: Browser;

beforeAll(async () => {
  const well = (i: number, geom_wkt: string, src_crs: string) => ({
    work_key: `displaced well ${i}`,
    failure_class: 'crs_mismatch',
    geom_wkt,
    src_crs,
    // 9 to 9.35° east, 48.92 to 49.15° north
    tile_z: 10,
    tile_x: 537,
    tile_y: 351,
  });
  await captureAll(base_url, TASK, [
    // three lie where latitude and longitude changed places, two in their tile
    ...[0, 1, 2].map((i) => well(i, `POINT(${49 + i / 100} ${9.1 + i / 100})`, 'EPSG:4326')),
    ...[3, 4].map((i) => well(i, `POINT(${9 + i / 100} ${49 + i / 100})`, 'EPSG:4258')),
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test('the ways from landing to tile are one layer: a sentence a group, each to its filter, and off again', async () => {
  const { page, complaints, close } = await openApp(browser, base_url);
  try {
    const triage = new TriagePage(page);
    await triage.open(`?task_name=${TASK}`);
    const layer = new DisplacementPanel(page);
    await layer.turn(true);
    await layer.groups.nth(1).waitFor();
    const [swapped, sound] = await layer.groups.allInnerTexts();
    expect(swapped).toMatch(/axis swap.*\b3\b.*EPSG:4326.*axis_swapped/s);
    expect(sound).toMatch(/\b2\b.*EPSG:4258/s);
    expect(await layer.summary()).toMatch(/Displacement: 1 group lies away from its tiles\. Largest: 3 .*axis swap/);
    expect(await accessibilityFaultsInBothThemes(page, '.displacement')).toEqual([]);

    await layer.groups.first().getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('src_crs') === 'EPSG:4326');
    await triage.settled();
    expect(await triage.total()).toBe(3);
    await layer.groups.nth(1).waitFor({ state: 'detached' });

    await layer.turn(false);
    expect(await layer.groups.count()).toBe(0);
    expect(await layer.summary()).not.toContain('Displacement');
    expect(complaints).toEqual([]);
  } finally {
    await close();
  }
});
