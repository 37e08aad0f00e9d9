import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { AreaTools } from '../drivers/area-tools';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { QueryBar } from '../drivers/query-bar';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'searched_fields';
/** What comes with an answer is there at once, on a busy machine a little later. */
const LONG = { timeout: 30_000 };
let browser: Browser;

beforeAll(async () => {
  const field = (work_key: string, lon: number, lat: number, failure_class: string, resampling: string) => ({
    work_key,
    failure_class,
    src_crs: 'EPSG:4326',
    geom_wkt: `POINT(${lon} ${lat})`,
    params: { resampling, tile: { zoom: 12 } },
    error_text: `${work_key}: bounds lie outside the quarry`,
  });
  await captureAll(base_url, TASK, [
    field('field in Ohio 1', -83, 40, 'crs_mismatch', 'cubic'),
    field('field in Ohio 2', -82.9, 40.1, 'oom', 'nearest'),
    field('field in Kansas', -98, 38.5, 'crs_mismatch', 'nearest'),
    field('field in Fiji, east', 179.5, -17, 'oom', 'cubic'),
    field('field in Fiji, west', -179.5, -17, 'oom', 'cubic'),
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function onPage(search: string, use: (parts: Awaited<ReturnType<typeof partsOf>>) => Promise<void>) {
  const parts = await partsOf(search);
  try {
    await use(parts);
    expect(parts.complaints).toEqual([]);
  } finally {
    await parts.close();
  }
}
async function partsOf(search: string) {
  const { page, complaints, close } = await openApp(browser, base_url);
  const triage = new TriagePage(page);
  await triage.open(search);
  return { page, complaints, close, triage, bar: new QueryBar(page), area: new AreaTools(page) };
}

describe('the query bar', () => {
  test('takes a whole query, which the facets follow, and its text follows the facets', async () => {
    await onPage('', async ({ page, triage, bar }) => {
      await bar.apply(`task:${TASK} class:crs_mismatch param.resampling=nearest "outside the quarry"`);
      await page.waitForURL((url) => url.searchParams.get('q') === '"outside the quarry"');
      await triage.settled();
      expect(await triage.total()).toBe(1);
      expect((await triage.conditions()).join(' ')).toMatch(/param resampling\s*nearest.*text\s*"outside the quarry"/s);

      await bar.asText();
      const before = await bar.text();
      expect(before).toBe(`class:crs_mismatch task:${TASK} param.resampling=nearest "outside the quarry"`);
      await triage.tick('Class', 'oom');
      await vi.waitUntil(async () => (await bar.text()) !== before, LONG);
      expect(await bar.text()).toBe(
        `class:crs_mismatch,oom task:${TASK} param.resampling=nearest "outside the quarry"`,
      );
      expect(await triage.total()).toBe(2);
      expect(await accessibilityFaultsInBothThemes(page, '.qbar')).toEqual([]);
      await page.goBack();
      await vi.waitUntil(async () => (await bar.text()) === before, LONG);
    });
  });

  test('keeps clear of the total at 200 % zoom', async () => {
    await onPage(`?task_name=${TASK}&failure_class=oom&q=quarry`, async ({ page, bar }) => {
      await page.setViewportSize({ width: 720, height: 450 });
      expect(await bar.overlaps()).toBe(0);
    });
  });

  test('marks what it cannot read, suggests parameters and their values, takes the last chip back, and says what to drop', async () => {
    await onPage('', async ({ page, triage, bar }) => {
      await bar.apply(`taks:x task:${TASK}`);
      await page.waitForURL((url) => url.searchParams.get('task_name') === TASK);
      expect(await bar.text()).toBe('taks:x');
      expect(await bar.problem.innerText()).toMatch(/there is no condition taks:.*write task:/s);
      await page.keyboard.press('Escape');
      await triage.settled();

      await bar.type('param.res');
      await bar.suggestion('resampling').waitFor();
      await page.keyboard.press('Tab');
      await bar.suggestion('cubic').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.has('params'));
      await triage.settled();
      expect(await triage.total()).toBe(3);
      await page.keyboard.press('Backspace');
      await vi.waitUntil(async () => (await bar.text()) === 'param.resampling=cubic', LONG);
      await page.keyboard.press('Escape');
      expect((await triage.conditions()).join(' ')).toMatch(/param resampling/);
      await bar.removeChip('param resampling cubic');
      expect(await triage.total()).toBe(5);

      await bar.asText();
      await bar.field.fill(`task:${TASK} bbox:1,2 class:oom volcano`);
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.searchParams.get('failure_class') === 'oom');
      expect(await bar.marked.allInnerTexts()).toEqual(['bbox:1,2']);
      await page.getByRole('button', { name: 'Drop “text volcano”' }).click();
      await page.waitForURL((url) => !url.searchParams.has('q'));
      await triage.settled();
      expect(await triage.total()).toBe(3);
    });
  });
});

describe('an area', () => {
  test('is drawn on the map, narrows the list, is a chip, and is left with Escape', async () => {
    await onPage(`?task_name=${TASK}&map=4/40/-90`, async ({ page, triage, bar, area }) => {
      await page.keyboard.press('d');
      await area.ready();
      await page.keyboard.press('Escape');
      await area.button('Draw an area').click();
      // the eastern half of the view, which holds Ohio and not Kansas
      await area.draw([
        [0.52, 0.2],
        [0.9, 0.2],
        [0.9, 0.8],
        [0.52, 0.8],
      ]);
      await page.waitForURL((url) => url.searchParams.has('polygon'));
      await triage.settled();
      expect(await triage.total()).toBe(2);
      expect((await triage.conditions()).join(' ')).toMatch(/touches\s*an area of 4 corners/);
      await area.button('Remove it').click();
      await page.waitForURL((url) => !url.searchParams.has('polygon'));
      await triage.settled();
      expect(await bar.root.getByText('an area of').count()).toBe(0);
    });
  });

  test('is drawn in one piece over the 180° meridian', async () => {
    await onPage(`?task_name=${TASK}&map=5/-17/180`, async ({ page, triage, area }) => {
      await area.button('Draw an area').click();
      await area.draw([
        [0.35, 0.3],
        [0.65, 0.3],
        [0.65, 0.7],
        [0.35, 0.7],
      ]);
      await page.waitForURL((url) => url.searchParams.has('polygon'));
      await triage.settled();
      expect(await triage.total()).toBe(2);
    });
  });

  test('shows on the map while it stands, and can be a country or a region, found by its name', async () => {
    const ring = '-90,35+-80,35+-80,45+-90,45';
    await onPage(`?task_name=${TASK}&polygon=${ring}&map=5/40/-85`, async ({ page, triage, area }) => {
      // the area of the address is on the map, in the colour of what was chosen
      await vi.waitUntil(async () => (await triage.pixelsOf([74, 66, 212])) > 100, LONG);
      await area.choosePlace('ohi', 'Ohio, United States');
      await page.waitForURL((url) => url.searchParams.get('place') === 'US-OH');
      await triage.settled();
      expect(await triage.total()).toBe(2);
      await vi.waitUntil(async () => /touches\s*Ohio/.test((await triage.conditions()).join(' ')), LONG);
    });
  });
});
