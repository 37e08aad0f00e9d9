import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import {
  type AppPage,
  accessibilityFaults,
  accessibilityFaultsInBothThemes,
  openApp,
  type Theme,
} from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { InspectorPanel, type TabName } from '../drivers/inspector-panel';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
const TASK = 'public_reports';
const cases = readFileSync(path.join(import.meta.dirname, '../../test/fixtures/cases/public-reports.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
/** Text that would run, break a line or reorder it if it were anything but text. */
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> ‮abc \u0001 {{7*7}}';

let browser: Browser;
const ids = new Map<string, string>();

async function capture(given: { work_key: string } & Record<string, unknown>): Promise<void> {
  const response = await fetch(`${base_url}/api/dead-letters`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ task_name: TASK, ...given }),
  });
  const answer = await response.json();
  expect(response.status, JSON.stringify(answer)).toBe(200);
  ids.set(given.work_key, answer.id);
}

beforeAll(async () => {
  for (const one of cases)
    await capture({
      work_key: one.id,
      src_crs: one.src_crs,
      target_crs: one.target_crs,
      geom_wkt: one.wkt,
      geom_wkb: one.wkb_hex,
      failure_class: one.failure_class,
      error_text: one.said,
    });
  await capture({
    work_key: `hostile ${HOSTILE}`,
    geom_wkt: 'POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))',
    src_crs: HOSTILE,
    error_type: HOSTILE,
    error_text: HOSTILE,
    traceback: `Traceback\n  File "${HOSTILE}", line 1, in ${HOSTILE}\n${HOSTILE}`,
    failure_class: HOSTILE,
    code_version: HOSTILE,
    run_id: HOSTILE,
    source_uris: [`javascript:alert(1)`, HOSTILE],
    params: { [HOSTILE]: HOSTILE, nested: { list: [1, HOSTILE] } },
  });
  await capture({
    work_key: 'raster',
    source_uris: ['s3://dem/a.tif'],
    source_window: { col_off: 0, row_off: 512, width: 256, height: 256 },
    nodata: '-9999',
  });
  await capture({ work_key: 'truncated', geom_wkb: '0103000000010000000500000000', src_crs: 'EPSG:4326' });
  const waiting = async () =>
    (await (await fetch(`${base_url}/api/triage?task_name=${TASK}&unmappable_reason=not_diagnosed`)).json()).total;
  await vi.waitUntil(async () => (await waiting()) === 0, { timeout: 60_000, interval: 300 });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function withApp<T>(theme: Theme, use: (app: AppPage) => Promise<T>): Promise<T> {
  const app = await openApp(browser, base_url, { theme });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

describe('cases from public bug reports, and worse', () => {
  const TABS: TabName[] = ['Params', 'Traceback', 'History', 'Redrive', 'Evidence'];

  test('each is shown with all its tabs, and breaks neither the list, the map nor the page', async () => {
    await withApp('light', async ({ page, complaints }) => {
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}`);
      expect(await triage.total()).toBe(ids.size);
      expect(await triage.rows.count()).toBe(ids.size);
      const inspector = new InspectorPanel(page);
      for (let row = 0; row < ids.size; row++) {
        const work_key = await triage.keyOf(row);
        await triage.openRow(row);
        await inspector.shows(work_key);
        for (const tab of TABS) {
          await (await inspector.tab(tab)).waitFor();
          // every way in which a part of it can fail to show is an alert
          expect(await inspector.root.getByRole('alert').allInnerTexts(), `${work_key}, ${tab}`).toEqual([]);
        }
        await inspector.panesAreThere();
        expect(await inspector.root.getByRole('alert').allInnerTexts(), work_key).toEqual([]);
      }
      await triage.mapIsDrawn();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(complaints).toEqual([]);
    });
  });

  test.each([
    ['mmdetection-1745', /polygon/i],
    ['pyproj-1144', /point/i],
    ['pyproj-235', /point/i],
  ])('%s shows its source geometry', async (work_key, sentence) => {
    await withApp('dark', async ({ page }) => {
      await page.goto(`/dead-letters/${ids.get(work_key)}`);
      expect(await new InspectorPanel(page).sourceSentence()).toMatch(sentence);
    });
  });

  test('a point that is not a number says so, and is counted beside the map', async () => {
    await withApp('light', async ({ page }) => {
      await page.goto(`/dead-letters/${ids.get('gdal-3542')}`);
      await page.getByText('No vertex is a finite number.').waitFor();
      const triage = new TriagePage(page);
      await triage.open(`?task_name=${TASK}&unmappable_reason=non_finite`);
      expect(await triage.total()).toBe(1);
    });
  });
});

describe('a redrive that nothing is known of', () => {
  test('is answered by a person who says how they know, and then it is fixed', async () => {
    await capture({ work_key: 'in-doubt', geom_wkt: 'POINT (10 50)', src_crs: 'EPSG:4326' });
    const id = ids.get('in-doubt');
    ids.delete('in-doubt');
    const client = new pg.Client({ connectionString: inject('database_url') });
    await client.connect();
    try {
      const attempt = randomUUID();
      await client.query(
        `insert into dlq.redrive (id, entry_id, payload_hash, idempotency_key, target, worker, sent_at)
         select $1::uuid, id, payload_hash, idempotency_key, 'gone', 'w', now() from dlq.entry where id = $2::bigint`,
        [attempt, id],
      );
      for (const [state, lease] of [
        ['redriving', '1 minute'],
        ['in_doubt', null],
      ])
        await client.query(
          `update dlq.state set state = $1::text, attempt_id = $2::uuid, lease_until = now() + $3::interval, version = version + 1
           where entry_id = $4::bigint`,
          [state, attempt, lease, id],
        );
    } finally {
      await client.end();
    }
    await withApp('light', async ({ page }) => {
      await page.goto(`/dead-letters/${id}?tab=redrive`);
      const inspector = new InspectorPanel(page);
      await (await inspector.tab('Redrive')).getByLabel('How you know').fill('the output of the night has it');
      expect(await accessibilityFaults(page)).toEqual([]);
      await inspector.body.getByRole('button', { name: /^It ran/ }).click();
      await inspector.root.locator('.pill', { hasText: 'fixed' }).first().waitFor();
      expect(await (await inspector.tab('History')).innerText()).toContain('the output of the night has it');
    });
  });
});

describe('every page in both themes', () => {
  const PAGES: [string, () => string, string][] = [
    [
      'triage with an open entry',
      () => `/?task_name=${TASK}&entry=${ids.get('mmdetection-1745')}`,
      '[data-pane="source"]',
    ],
    ['signatures', () => `/?task_name=${TASK}&group=signatures`, '.list'],
    ['nothing matches', () => '/?task_name=no_such_task', '.list'],
    ['an entry', () => `/dead-letters/${ids.get('mmdetection-1745')}`, '[data-pane="source"]'],
    ['an entry without geometry', () => `/dead-letters/${ids.get('raster')}`, '.insp-in'],
    ['operations', () => '/operations', 'h1'],
    ['intake, spools', () => '/intake', '.in-tiles'],
    ['intake, lines', () => '/intake?section=lines', '.in-tiles'],
    ['intake, producers', () => '/intake?section=producers', '.in-tiles'],
    ['intake, runs', () => '/intake?section=runs', '.in-tiles'],
    ['how to capture', () => '/docs/capture', 'h1'],
    ['no such entry', () => '/dead-letters/999999999', 'h1'],
    ['no such page', () => '/nowhere', 'h1'],
  ];
  test.each(PAGES)('%s: accessible, and within the content policy', async (_, address, ready) => {
    await withApp('light', async ({ page, complaints }) => {
      await page.goto(address());
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await accessibilityFaultsInBothThemes(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });
});
