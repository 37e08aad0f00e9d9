import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { loadDemo } from '@/db/demo/load';
import { type AppPage, openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { InspectorPanel } from '../drivers/inspector-panel';
import { OperationPage, PreviewDialog } from '../drivers/operations-pages';
import { TriagePage } from '../drivers/triage-page';

const base_url = inject('base_url');
/** The light theme's fills of crs_mismatch and invalid_geometry. */
const CRS_BLUE = [0, 0x72, 0xb2] as const;
const GEOMETRY_ORANGE = [0xd5, 0x5e, 0] as const;

let browser: Browser;
let app: AppPage;
let triage: TriagePage;

const api = async (path: string) => (await fetch(`${base_url}${path}`)).json();
const mismatches = '/api/triage?failure_class=crs_mismatch';

beforeAll(async () => {
  await loadDemo({ url: base_url, now: new Date() });
  // every entry has its place, or the reason for none
  await vi.waitUntil(async () => (await api('/api/triage?unmappable_reason=not_diagnosed')).total === 0, {
    timeout: 120_000,
    interval: 500,
  });
  browser = await launchBrowser();
  app = await openApp(browser, base_url);
  triage = new TriagePage(app.page);
}, 400_000);
afterAll(async () => {
  await app?.close();
  await browser?.close();
});

describe('from a failure class on the map back into the pipeline', () => {
  let matching = 0;

  test('the page opens with every entry of the demo on the map, in the list or counted beside the map', async () => {
    await triage.open();
    const answer = await api('/api/triage');
    expect(answer.total).toBeGreaterThan(4500);
    expect(await triage.total()).toBe(answer.total);
    expect(answer.not_mapped.total / answer.total).toBeGreaterThan(0.03);
    expect(await triage.ledger()).toContain(`${answer.not_mapped.total} not on the map`);
    // the demo's own queue: other specs capture into another
    const { facets } = await api('/api/triage?queue=production');
    const classes = facets.failure_class.values.map((one: { value: string }) => one.value).sort();
    expect(classes).toEqual(['crs_mismatch', 'invalid_geometry', 'oom', 'unknown', 'upstream_timeout']);
  });

  test('a click on a class shows its members alone, on the map and in the list, and in the address', async () => {
    expect(await triage.pixelsOf(GEOMETRY_ORANGE)).toBeGreaterThan(50);
    await triage.choose('Class', 'crs_mismatch');
    await triage.mapIsDrawn();
    matching = (await api(mismatches)).total;
    expect(await triage.total()).toBe(matching);
    expect(app.page.url()).toContain('failure_class=crs_mismatch');
    expect(await triage.inView()).toBeGreaterThan(0);
    expect(await triage.pixelsOf(CRS_BLUE)).toBeGreaterThan(50);
    expect(await triage.pixelsOf(GEOMETRY_ORANGE)).toBe(0);
    for (const mark of await triage.rows.locator('.c-mark').all())
      expect(await mark.getAttribute('title')).toBe('crs_mismatch');
  });

  test('an entry shows its source geometry beside the reprojected one, with params, traceback and code version', async () => {
    await triage.choose('Source CRS, as claimed', 'EPSG:32122');
    await triage.openRow(0);
    const inspector = new InspectorPanel(app.page);
    expect(await inspector.sourceSentence()).toMatch(/polygon/i);
    await (await inspector.mapPane()).waitFor();
    expect(await inspector.root.innerText()).toContain('2.14.0');
    const params = await (await inspector.tab('Params')).innerText();
    for (const param of ['layer_crs_name', 'layer_unit', 'axis_order', 'densify_m', 'resampling'])
      expect(params).toContain(param);
    expect(await (await inspector.tab('Traceback')).innerText()).toContain('CrsMismatchError');
    expect(await (await inspector.tab('History')).innerText()).toContain('captured');
    expect(await (await inspector.tab('Redrive')).innerText()).toContain('idempotency-key');
    await app.page.keyboard.press('Escape');
  });

  test('redriving the class freezes it, sends it, and says what became of each', async () => {
    await triage.open('?failure_class=crs_mismatch');
    await triage.act('Redrive…');
    const dialog = new PreviewDialog(app.page);
    const eligible = await dialog.eligible();
    expect(eligible).toBeGreaterThan(100);
    expect(eligible).toBeLessThanOrEqual(matching);
    expect((await api(mismatches)).total).toBe(matching);
    await dialog.fill({
      reason: 'Fixed in 2.14.1: the unit is read from the layer',
      rate: '500',
      canary: false,
      count: eligible,
    });
    await dialog.start(/^Redrive /);
    const operation = new OperationPage(app.page);
    const id = await operation.arrived();
    await operation.isFinished(170_000);
    const [fixed, failed_again] = [await operation.outcome('Fixed'), await operation.outcome('Failed again')];
    expect(fixed).toBeGreaterThan(0);
    expect(failed_again).toBeGreaterThan(0);
    const { outcomes } = await api(`/api/operations/${id}`);
    const { waiting, skipped, ...sent } = outcomes as Record<string, number>;
    expect(waiting).toBe(0);
    expect(Object.values(sent).reduce((sum, count) => sum + count, 0)).toBe(eligible);
    expect(skipped).toBe(matching - eligible);
  });

  test('the fixed ones are resolved, and those that failed again are open with their attempts raised', async () => {
    await triage.open('?failure_class=crs_mismatch&state=resolved');
    const resolved = await triage.total();
    expect(resolved).toBeGreaterThan(0);
    await triage.openRow(0);
    const inspector = new InspectorPanel(app.page);
    expect(await inspector.root.innerText()).toContain('fixed');
    const history = await (await inspector.tab('History')).innerText();
    expect(history).toContain('Fixed in 2.14.1');
    const open = await api('/api/dead-letters?state=open&code_version=2.14.1&limit=1');
    expect(open.items).toHaveLength(1);
    expect(open.items[0].attempts).toBeGreaterThan(1);
    expect((await api('/api/triage?failure_class=crs_mismatch&state=open')).total).toBeLessThan(matching);
  });

  test('abandoning ticked rows asks why, resolves them by name, and deletes nothing', async () => {
    const all = (await api('/api/triage?state=any')).total;
    await triage.open('?failure_class=oom');
    await triage.rows.nth(0).getByRole('checkbox').click();
    await triage.rows.nth(1).getByRole('checkbox').click();
    await triage.act('Abandon…');
    const dialog = new PreviewDialog(app.page);
    expect(await dialog.eligible()).toBe(2);
    await dialog.fill({ reason: 'the mosaic is no longer made' });
    await dialog.start(/^Abandon 2/);
    await dialog.root.waitFor({ state: 'detached' });
    await expect.poll(async () => (await api('/api/triage?failure_class=oom&state=resolved')).total).toBe(2);
    expect((await api('/api/triage?state=any')).total).toBe(all);
  });

  test('nothing on the way was against the content policy, and no script failed', () => {
    expect(app.complaints).toEqual([]);
  });
});
