import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type AppPage, accessibilityFaultsInBothThemes, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { captureAll, isDiagnosed } from '../drivers/capture';
import { EditQuestion } from '../drivers/edit-question';
import { polygonHex } from '../drivers/geometry-bytes';
import { InspectorPanel } from '../drivers/inspector-panel';
import { RepairPanel } from '../drivers/repair-panel';

const base_url = inject('base_url');
const TASK = 'repairs';
/** A parcel of Manhattan in US survey feet (EPSG:2263), claimed as the metres of EPSG:32118. */
const IN_FEET = polygonHex([
  [
    [985_000, 220_000],
    [985_200, 220_000],
    [985_200, 220_150],
    [985_000, 220_150],
    [985_000, 220_000],
  ],
]);
/** Loops of 3,750 and 33,750 m², which go round opposite ways. */
const BOW_TIE = polygonHex([
  [
    [500_000, 5_538_000],
    [500_300, 5_538_300],
    [500_300, 5_538_000],
    [500_000, 5_538_100],
    [500_000, 5_538_000],
  ],
]);

let browser: Browser;
let ids: Map<string, string>;

const api = async (path: string) => (await fetch(`${base_url}${path}`)).json();
const entryOf = (work_key: string) => api(`/api/dead-letters/${ids.get(work_key)}`);

beforeAll(async () => {
  const parcel = { failure_class: 'crs_mismatch', src_crs: 'EPSG:32118', geom_wkb: IN_FEET };
  const lines = { failure_class: 'invalid_geometry', src_crs: 'EPSG:32632' };
  ids = await captureAll(base_url, TASK, [
    { work_key: 'parcel in feet', ...parcel, tile_z: 10, tile_x: 301, tile_y: 384 },
    { work_key: 'repair bow-tie', ...lines, geom_wkb: BOW_TIE },
    {
      work_key: 'repair curve',
      ...lines,
      geom_wkt:
        'CURVEPOLYGON(CIRCULARSTRING(500000 5538000, 500100 5538100, 500200 5538000, 500100 5537900, 500000 5538000))',
    },
  ]);
  await vi.waitUntil(() => isDiagnosed(base_url, TASK), { timeout: 120_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function inspect(
  work_key: string,
  use: (inspector: InspectorPanel, app: AppPage) => Promise<void>,
): Promise<void> {
  const app = await openApp(browser, base_url);
  try {
    await app.page.goto(`/dead-letters/${ids.get(work_key)}`);
    const inspector = new InspectorPanel(app.page);
    await inspector.panesAreThere();
    await use(inspector, app);
    expect(app.complaints).toEqual([]);
  } finally {
    await app.close();
  }
}

describe('a parcel in feet that is claimed to be in metres', () => {
  test('is told by its verdict; its true CRS is taken only when asked and with a reason, and can be put back', async () => {
    await inspect('parcel in feet', async (inspector, { page }) => {
      expect(await inspector.verdict()).toMatch(/wrong_unit\s+The numbers are US survey feet; the claim says metres\./);
      const first = inspector.candidates.first();
      expect(await first.innerText()).toMatch(/^A\s.*EPSG:2263 .*100 %\s+0 km/s);
      expect(await first.getAttribute('aria-selected')).toBe('true');
      const captured = await entryOf('parcel in feet');

      const question = new EditQuestion(page, 'Use EPSG:2263 for a redrive');
      await question.open('Use EPSG:2263…');
      expect(await question.changes()).toEqual([
        'CRS claimed: EPSG:32118 → EPSG:2263',
        'No vertex moves.',
        'What was captured stays, and so does the idempotency key. The target is told of the edit.',
      ]);
      expect(await question.take.isDisabled()).toBe(true);
      expect(await accessibilityFaultsInBothThemes(page, '.edit-ask')).toEqual([]);
      expect((await entryOf('parcel in feet')).payloads).toHaveLength(1);
      await question.answer('the layer is in feet');

      await inspector.root.locator('.verdict', { hasText: 'agrees' }).waitFor();
      const edited = await entryOf('parcel in feet');
      expect(edited.payload.src_crs).toBe('EPSG:2263');
      expect(edited.payloads).toHaveLength(2);
      expect(edited.payloads).toContainEqual(captured.payload);
      const history = await inspector.tab('History');
      await history.getByText('payload edited').waitFor();
      expect(await history.innerText()).toMatch(/EPSG:32118.*EPSG:2263.*the layer is in feet/s);

      await inspector.tab('Evidence');
      await inspector.root.getByLabel('Payload, 2 versions').selectOption({ index: 1 });
      const back = new EditQuestion(page, 'Make the captured payload current again');
      await back.open('Back to this as captured…');
      await back.answer('only a trial');
      await inspector.root.locator('.verdict', { hasText: 'wrong_unit' }).waitFor();
      expect((await entryOf('parcel in feet')).payload.payload_hash).toBe(captured.payload.payload_hash);
      expect(await (await inspector.tab('History')).innerText()).toMatch(/payload put back.*only a trial/s);
    });
  });
});

describe('the preview of a repair', () => {
  test('of a bow-tie shows both methods, what each loses, and a slider for the keyboard', async () => {
    await inspect('repair bow-tie', async (inspector, { page }) => {
      expect((await inspector.faultWords()).join()).toContain('self_intersection: ring 0, edges 0 × 2');
      const repair = new RepairPanel(page);
      await repair.open();
      await repair.isShown();
      expect((await repair.figure('Type')).change).toBe('polygon → multipolygon');
      expect((await repair.figure('Parts')).change).toBe('1 → 2');
      expect(await repair.budget.innerText()).toMatch(/^Over the budget\..*Budget: /s);
      expect(await repair.figure('Area')).toEqual({
        change: '30,000 → 37,500',
        note: '+25 %, by the signed sum of its rings',
      });
      expect(await accessibilityFaultsInBothThemes(page, '.repair')).toEqual([]);

      await repair.slider.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await repair.slider.getAttribute('aria-valuetext')).toBe('52 % as stored, 48 % repaired');
      expect(await repair.picture.getAttribute('aria-label')).toContain('the edge is at 52 %');
      await page.keyboard.press('Home');
      const repaired = await repair.picture.screenshot();
      await page.keyboard.press('End');
      expect(repaired.equals(await repair.picture.screenshot())).toBe(false);

      await repair.choose('structure');
      await repair.isShown();
      expect((await repair.figure('Lines moved')).note).toMatch(/ m on the ground$/);
      expect((await entryOf('repair bow-tie')).payloads).toHaveLength(1);
    });
  });

  test('of a curve says why there is none', async () => {
    await inspect('repair curve', async (_, { page }) => {
      const repair = new RepairPanel(page);
      await repair.open();
      expect(await repair.refusal()).toMatch(/curve/i);
    });
  });

  test('waits while others are computed, says when no answer comes, and is asked again', async () => {
    await inspect('repair bow-tie', async (_, { page }) => {
      const answers: ('busy' | 'silence' | 'lost' | 'real')[] = ['busy', 'silence', 'lost', 'lost', 'real'];
      await page.clock.install();
      await page.route('**/repair?*', (route) => {
        const how = answers.shift();
        if (how === 'busy')
          return route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: '2 repairs' } } });
        if (how === 'lost') return route.abort();
        return how === 'real' ? route.continue() : undefined;
      });
      const repair = new RepairPanel(page);
      await repair.open();
      await repair.root.getByText('Other repairs are being computed; this one waits its turn').waitFor();
      await page.clock.fastForward(2_000);
      await expect.poll(() => answers.length).toBe(3);
      await page.clock.fastForward(45_000);
      await repair.root.getByRole('alert').getByText('No answer came within 45 s').waitFor();
      expect(await accessibilityFaultsInBothThemes(page, '.repair')).toEqual([]);
      await repair.root.getByRole('button', { name: 'Try now' }).click();
      await repair.root.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      expect(answers).toEqual(['real']);
      await repair.root.getByRole('button', { name: 'Try now' }).click();
      await repair.isShown();
    });
  });
});
