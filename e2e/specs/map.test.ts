import type { Browser, Page, Route } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { MapFrames } from '../drivers/map-frames';
import { MapPane } from '../drivers/map-pane';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'mapped_wells';
/** All of the wells are in this view, thirty of them in the cell in its middle. */
const HERE = `?task_name=${TASK}&map=8/49/9`;
const TILES = /\/api\/tiles\/\d/;
let browser: Browser;

beforeAll(async () => {
  const rare = ['oom', 'crs_mismatch', 'upstream_timeout'];
  await captureAll(
    base_url,
    TASK,
    Array.from({ length: 39 }, (_, i) => ({
      work_key: `mapped well ${i}`,
      failure_class: i < 30 ? (i % 3 === 0 ? 'oom' : 'crs_mismatch') : rare[i % 3],
      geom_wkt: i < 30 ? 'POINT(9.001 49.001)' : `POINT(${8 + (i - 30) / 5} 49.15)`,
      src_crs: 'EPSG:4326',
    })),
  );
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Keeps the tiles of what `holds` names back until they are let go. */
async function holdTiles(page: Page) {
  const held: (() => Promise<void>)[] = [];
  let holds = (_classes: string[]) => false;
  await page.route(TILES, async (route: Route) => {
    // a request that was given up cannot go on
    const go = () => route.continue().catch(() => {});
    if (holds(new URL(route.request().url()).searchParams.getAll('failure_class'))) held.push(go);
    else await go();
  });
  return {
    only(classes: (classes: string[]) => boolean) {
      holds = classes;
      held.length = 0;
    },
    some: () => vi.waitUntil(() => held.length > 1, { timeout: 60_000 }),
    /** Lets go what is held, all or all but the last. */
    async letGo(but = 0) {
      for (const go of held.splice(0, held.length - but)) await go();
    },
  };
}

describe('when the filter changes, the map', () => {
  test('keeps its picture until the last tile is there, changes in one frame, and never shows what comes late', async () => {
    const { page, complaints, close } = await openApp(browser, base_url);
    try {
      const frames = await MapFrames.on(page);
      const triage = new TriagePage(page);
      const total = (wanted: number) => vi.waitUntil(async () => (await triage.total()) === wanted, 60_000);
      await triage.open(HERE);
      const tiles = await holdTiles(page);

      tiles.only((classes) => classes.join() === 'oom');
      await frames.record();
      await triage.typeCondition('class:oom');
      await tiles.some();
      await total(13);
      await tiles.letGo(1);
      await frames.pass(15);
      expect(await frames.pictures(), 'one tile is still missing').toHaveLength(1);
      await tiles.letGo();
      await frames.changed();
      await triage.mapIsDrawn();
      await frames.pass(5);
      expect(await frames.pictures(), 'the picture of before, then that of the filter').toHaveLength(2);

      // two classes are waited for when the third is asked for too
      tiles.only((classes) => classes.length === 2);
      await frames.record();
      await triage.typeCondition('class:crs_mismatch');
      await tiles.some();
      await total(36);
      await triage.typeCondition('class:upstream_timeout');
      await total(39);
      await frames.changed();
      await triage.mapIsDrawn();
      await tiles.letGo();
      await frames.pass(15);
      expect(await frames.pictures(), 'what was given up is never seen').toHaveLength(2);
      expect(complaints).toEqual([]);
    } finally {
      await close();
    }
  });

  test('asks for tiles that it had before with their tag, and is told that they are the same', async () => {
    const { page, close } = await openApp(browser, base_url);
    try {
      const triage = new TriagePage(page);
      await triage.open(HERE);
      await triage.typeCondition('class:oom');
      await triage.settled();
      await triage.mapIsDrawn();
      const again = page.waitForResponse((response) => TILES.test(response.url()));
      await page.goBack();
      const response = await again;
      expect((await response.request().allHeaders())['if-none-match']).toMatch(/^W\/"/);
      expect(await response.finished()).toBeNull();
      expect((await response.request().sizes()).responseBodySize).toBe(0);
    } finally {
      await close();
    }
  });
});

test('a cell says its classes with their shares, and goes closer or into the filter, by pointer and by keyboard', async () => {
  const { page, complaints, close } = await openApp(browser, base_url);
  try {
    const triage = new TriagePage(page);
    const map = new MapPane(page);
    await triage.open(HERE);
    await map.hoverMiddle();
    const words = (await map.popover.innerText()).replace(/\s+/g, ' ');
    expect(words).toMatch(/30 entries.*crs_mismatch 20 67 % oom 10 33 %/);
    expect(await map.legend.innerText()).toMatch(/crs_mismatch.*upstream_timeout.*oom/s);

    await map.clickMiddle();
    await page.waitForURL((url) => !url.searchParams.get('map')?.startsWith('8/'));
    expect(await map.zoom()).toBeGreaterThanOrEqual(10);
    await triage.mapIsDrawn();

    await map.listCells();
    expect(await accessibilityFaultsInBothThemes(page, '.mapbox')).toEqual([]);
    await map.cells
      .first()
      .getByRole('button', { name: /^Filter to/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.has('bbox'));
    await triage.settled();
    expect(await triage.total()).toBe(30);
    expect(complaints).toEqual([]);
  } finally {
    await close();
  }
});

test('the legend stays folded, the layer stays in the address, and tiles that fail are said and asked for again', async () => {
  const { page, close } = await openApp(browser, base_url);
  try {
    const triage = new TriagePage(page);
    const map = new MapPane(page);
    await page.route(TILES, (route) => route.abort());
    await triage.open(`${HERE}&layer=displacement`);
    await map.failure.waitFor();
    expect(await map.failure.innerText()).toMatch(/tiles? of the map did not load: hatched/);
    expect(await map.legend.innerText()).toContain('from landing to tile');
    await page.unroute(TILES);
    await map.failure.getByRole('button', { name: 'Load again' }).click();
    await map.failure.waitFor({ state: 'detached' });

    await map.legendButton.click();
    await map.legend.waitFor({ state: 'detached' });
    await page.reload();
    await triage.grid.waitFor();
    await map.legendButton.and(page.locator('[aria-expanded="false"]')).waitFor();
    await map.listCells();
    const layer = page.getByRole('checkbox', { name: 'Displacement' });
    expect(await layer.isChecked()).toBe(true);
    await layer.uncheck();
    await page.waitForURL((url) => !url.searchParams.has('layer'));
  } finally {
    await close();
  }
});
