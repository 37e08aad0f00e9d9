import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type AppPage, accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { countPixels } from '../drivers/count-pixels';
import { lineHex, polygonHex } from '../drivers/geometry-bytes';
import { InspectorPanel } from '../drivers/inspector-panel';

const base_url = inject('base_url');
const TASK = 'evidence_panes';
/** The token --c-geom-edge of the light theme. */
const EDGE: [number, number, number] = [0xa8, 0x49, 0x00];

const square = (x: number, y: number, side: number) => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
  [x, y],
];
const bowTie = [
  [-81.7, 41.4],
  [-81.6, 41.5],
  [-81.6, 41.4],
  [-81.7, 41.5],
  [-81.7, 41.4],
];
const roundThePole = Array.from({ length: 25 }, (_, i) => [-180 + (i % 24) * 15, 80 + (i % 2)]);
/** A crossing, a repeated point, a spike and a hole outside its shell. */
const manyFaults = [
  [
    [10, 50],
    [10.4, 50.4],
    [10.4, 50.4],
    [10.4, 50],
    [10, 50.4],
    [9.9, 50.2],
    [9.2, 50.2],
    [9.9, 50.19],
    [10, 50],
  ],
  square(11, 50, 0.1),
];
const geometry = (work_key: string, geom: Record<string, unknown>) => ({
  work_key,
  failure_class: 'invalid_geometry',
  src_crs: 'EPSG:4326',
  ...geom,
});

let browser: Browser;
let ids: Map<string, string>;

beforeAll(async () => {
  ids = await captureAll(base_url, TASK, [
    geometry('many faults', { geom_wkb: polygonHex(manyFaults) }),
    geometry('antimeridian', {
      geom_wkb: polygonHex([
        [
          [178, -18],
          [-178, -18],
          [-178, -15],
          [178, -15],
          [178, -18],
        ],
      ]),
    }),
    geometry('polar', { geom_wkb: polygonHex([roundThePole]) }),
    geometry('bow-tie', { geom_wkb: polygonHex([bowTie]) }),
    geometry('nan line', {
      geom_wkb: lineHex([
        [0, 50],
        [1, 51],
        [Number.NaN, 52],
        [3, 50],
        [4, 51],
      ]),
    }),
    geometry('curve', { geom_wkt: 'CURVEPOLYGON(CIRCULARSTRING(10 50, 11 51, 12 50, 11 49, 10 50))' }),
    geometry('tin', {
      geom_wkt: 'TIN(((10 50, 10.1 50, 10 50.1, 10 50)), ((10.1 50, 10.1 50.05, 10.1 50.1, 10.1 50)))',
    }),
    geometry('unclosed', { geom_wkb: polygonHex([square(10, 50, 0.1).slice(0, 4)]) }),
    geometry('swapped', {
      geom_wkb: polygonHex([bowTie.map(([x, y]) => [y!, x!])]),
      tile_z: 10,
      tile_x: 279,
      tile_y: 382,
    }),
    {
      work_key: 'raster',
      failure_class: 'upstream_timeout',
      src_crs: 'EPSG:32632',
      source_uris: ['s3://elevation/n50_e010.tif'],
      source_window: { col_off: 2048, row_off: 4096, width: 512, height: 512 },
      tile_z: 10,
      tile_x: 540,
      tile_y: 346,
    },
    geometry('metres', { geom_wkb: polygonHex([square(500_000, 5_538_000, 400)]), src_crs: 'EPSG:32632' }),
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function inspect<T>(work_key: string, use: (inspector: InspectorPanel, app: AppPage) => Promise<T>): Promise<T> {
  const app = await openApp(browser, base_url);
  try {
    await app.page.goto(`/dead-letters/${ids.get(work_key)}`);
    const inspector = new InspectorPanel(app.page);
    await inspector.panesAreThere();
    const answer = await use(inspector, app);
    expect(app.complaints).toEqual([]);
    return answer;
  } finally {
    await app.close();
  }
}

describe('the faults of a polygon', () => {
  test('are numbered, and n and N step through them in the table, both panes and the address', async () => {
    await inspect('many faults', async (inspector, { page }) => {
      const words = await inspector.faultWords();
      expect(words.map((each) => each.split(':')[0])).toEqual(
        expect.arrayContaining(['self_intersection', 'repeated_point', 'spike', 'hole_outside_shell']),
      );
      expect(words.join('\n')).toMatch(/self_intersection: ring 0, edges \d+ × \d+/);
      expect(words.join('\n')).toMatch(/repeated_point: ring 0, vertices 1 and 2/);
      expect(await inspector.sourceSentence()).toContain(`${words.length} faults`);
      expect(await inspector.verdict()).toMatch(/2 faults make it fail: self_intersection, hole_outside_shell\./);
      expect(await inspector.verdict()).toContain('The CRS claim agrees');
      await inspector.sourcePane();
      await page.keyboard.press('n');
      await inspector.faultIsCurrent(2);
      await page.keyboard.press('n');
      await inspector.faultIsCurrent(3);
      await page.keyboard.press('Shift+N');
      await inspector.faultIsCurrent(2);
      await page.keyboard.press('Shift+N');
      await page.keyboard.press('Shift+N');
      await inspector.faultIsCurrent(words.length);
      await inspector.root.getByRole('button', { name: 'Next fault' }).click();
      await inspector.faultIsCurrent(1);
    });
  });

  test('that goes round a symmetric bow-tie is drawn with both lobes on the map', async () => {
    await inspect('bow-tie', async (inspector, { page }) => {
      expect((await inspector.faultWords()).join()).toContain('self_intersection: ring 0, edges 0 × 2');
      const pane = await inspector.closeUp();
      expect(await countPixels(page, await pane.screenshot(), EDGE)).toBeGreaterThan(200);
    });
  });
});

describe('a polygon across 180°', () => {
  test('lies beside 180° in one piece, without a line where it was split', async () => {
    await inspect('antimeridian', async (inspector, { page }) => {
      expect(await inspector.mapSentence()).toMatch(/lands at 16\.50° south, 180\.00° (east|west)/);
      expect((await inspector.faultWords()).join()).toContain('crosses_antimeridian');
      const pane = (await inspector.closeUp()).locator('.map-gl');
      const box = (await pane.boundingBox())!;
      // the meridian of 180° is the middle of the view; each outline that crosses this column is two pixels high
      const clip = { x: box.x + box.width / 2 - 2, y: box.y, width: 4, height: box.height };
      const column = await countPixels(page, await page.screenshot({ clip }), EDGE);
      expect(column).toBeGreaterThan(0);
      expect(column).toBeLessThan(4 * 12);
      expect(await countPixels(page, await pane.screenshot(), EDGE)).toBeGreaterThan(400);
    });
  });
});

describe('a polygon round the pole', () => {
  test('is drawn on the globe, closed over the pole, and says so; the flat map is one press away', async () => {
    await inspect('polar', async (inspector, { page }) => {
      expect(await inspector.mapSentence()).toContain('closed over the north pole');
      const pane = await inspector.mapPane();
      expect(await pane.innerText()).toContain('Goes round the north pole; closed over it to be filled.');
      const globe = pane.getByRole('button', { name: 'Globe', pressed: true });
      await globe.waitFor();
      // the globe is idle once before it has the shape
      const outline = async () => countPixels(page, await pane.screenshot(), EDGE);
      await vi.waitUntil(async () => (await outline()) > 100, { timeout: 60_000, interval: 200 });
      await globe.click();
      await pane.getByRole('button', { name: 'Globe', pressed: false }).waitFor();
      await inspector.mapPane();
    });
  });
});

describe('a geometry that is not one', () => {
  test('with a vertex that is not a number is drawn up to it and after it, and the vertex is found', async () => {
    await inspect('nan line', async (inspector) => {
      expect(await inspector.sourceSentence()).toMatch(
        /LineString of 5 vertices.*1 vertex is not finite and not drawn/,
      );
      expect((await inspector.faultWords()).join()).toContain('non_finite_vertex: vertex 2');
      await inspector.root.getByRole('button', { name: '1 not finite' }).click();
      await inspector.root.locator('#vertex-2[aria-selected="true"]').getByText('NaN').waitFor();
      expect(await inspector.copyRefusal('GeoJSON')).toMatch(/no NaN/);
    });
  });

  test.each([
    ['curve', /^CurvePolygon/, 'curve', /CurvePolygon|CircularString/],
    ['tin', /^Tin/, 'zero_area', /Tin/],
    ['unclosed', /^Polygon of 4 vertices/, 'unclosed_ring', /closed/],
  ])('%s is shown as stored, and not offered as GeoJSON', async (work_key, sentence, code, refusal) => {
    await inspect(work_key, async (inspector) => {
      await inspector.sourcePane();
      expect(await inspector.sourceSentence()).toMatch(sentence);
      expect((await inspector.faultWords()).join()).toContain(code);
      expect(await inspector.copyRefusal('GeoJSON')).toMatch(refusal);
      expect(await inspector.copyRefusal('EWKB hex')).toBeNull();
    });
  });
});

describe('each fault of every kind of shape', () => {
  test.each(['antimeridian', 'polar', 'bow-tie', 'nan line', 'curve', 'tin', 'unclosed'])(
    '%s: is numbered in the table and said of the source pane, and n and N reach it',
    async (work_key) => {
      await inspect(work_key, async (inspector, { page }) => {
        await inspector.sourcePane();
        const words = await inspector.faultWords();
        expect(words.length).toBeGreaterThan(0);
        expect(await inspector.sourceSentence()).toMatch(new RegExp(`\\b${words.length} fault`));
        for (let pressed = 1; pressed <= words.length; pressed++) {
          await page.keyboard.press('n');
          await inspector.faultIsCurrent((pressed % words.length) + 1);
        }
        await page.keyboard.press('Shift+N');
        await inspector.faultIsCurrent(words.length);
      });
    },
  );
});

describe('a task on a raster', () => {
  test('says so, and its tile is on the map', async () => {
    await inspect('raster', async (inspector) => {
      expect(await inspector.verdict()).toContain('The task read a raster; no geometry was captured.');
      expect(await (await inspector.mapPane()).innerText()).toContain('No geometry: its tile.');
    });
  });
});

describe('what the CRS really is', () => {
  test('is told for swapped axes: verdict, candidate with its reading, and where the numbers would lie', async () => {
    await inspect('swapped', async (inspector, { page }) => {
      expect(await inspector.verdict()).toContain('axis_swapped');
      const first = inspector.candidates.first();
      expect(await first.innerText()).toMatch(/EPSG:4326.*y,x swapped/s);
      expect(await inspector.readAs()).toBe('read as degrees');
      await page.keyboard.press('c');
      await first.getByRole('button').and(page.locator(':focus')).waitFor();
      expect(await inspector.readAs()).toBe('A: EPSG:4326, y,x swapped');
      await inspector.root.getByRole('button', { name: 'y,x swapped', exact: true }).click();
      await inspector.root.getByRole('button', { name: 'y,x swapped', exact: true }).waitFor({ state: 'detached' });
    });
  });
});

describe('the cursor', () => {
  test('of one pane is shown in the other, where that was checked', async () => {
    await inspect('metres', async (inspector) => {
      await inspector.root.getByText(/^cursors linked, checked to /).waitFor();
      const map = await inspector.closeUp();
      await map.locator('canvas').hover();
      await inspector.root.locator('.src-cursor:not([hidden])').waitFor();
      await (await inspector.sourcePane()).locator('canvas').hover({ position: { x: 30, y: 30 } });
      await inspector.root.locator('.src-cursor[hidden]').waitFor({ state: 'attached' });
    });
  });
});

describe('both themes', () => {
  test.each(['many faults', 'swapped', 'polar'])('%s is accessible', async (work_key) => {
    await inspect(work_key, async (inspector, { page }) => {
      await inspector.sourcePane();
      expect(await accessibilityFaultsInBothThemes(page)).toEqual([]);
    });
  });

  test('the menu of copies is accessible', async () => {
    await inspect('nan line', async (inspector, { page }) => {
      await inspector.root.getByRole('button', { name: 'Copy as' }).click();
      await page.locator('.copy-as').waitFor();
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
      expect(await accessibilityFaultsInBothThemes(page)).toEqual([]);
    });
  });
});
