import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { captures, spoolBytes, spooledCapture } from '@/test/support/spool-lines';
import { type AppPage, accessibilityFaults, openApp, type Theme } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';
import { IntakePage } from '../drivers/intake-page';

const base_url = inject('base_url');
const FILE = 'night7-4411-ab12cd34-1.ndjson';
/** Text that would run, break a line, reorder it or widen the page if it were anything but text. */
const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> \u202eabc\u0001 {{7*7}} ${'W'.repeat(600)}`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  const damaged = spoolBytes([spooledCapture(900)]);
  damaged[150] = (damaged[150] ?? 0) ^ 1;
  writeFileSync(
    path.join(inject('spool_folder'), FILE),
    Buffer.concat([
      spoolBytes(captures(0, 3)),
      damaged,
      Buffer.from(`${JSON.stringify({ work_key: 'later', task_name: 't', newer_member: 1, error_text: HOSTILE })}\n`),
      Buffer.from(`${HOSTILE}\n`),
    ]),
  );
});
afterAll(() => browser?.close());

async function withIntake<T>(
  use: (intake: IntakePage, app: AppPage) => Promise<T>,
  view: { theme?: Theme; width?: number } = {},
): Promise<T> {
  const app = await openApp(browser, base_url, view);
  try {
    const result = await use(new IntakePage(app.page), app);
    expect(await app.page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(app.complaints).toEqual([]);
    return result;
  } finally {
    await app.close();
  }
}

const post = async (address: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${base_url}${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
};

describe('a spool file with damaged lines', () => {
  test('is seen with what its lines became, and leads to those that could not be taken', async () => {
    await withIntake(async (intake) => {
      await intake.open();
      await intake.file(FILE).getByText('loaded').waitFor();
      expect(await intake.file(FILE).getByRole('cell').allInnerTexts()).toEqual(
        expect.arrayContaining(['6', '3', expect.stringMatching(/^3/)]),
      );
      await intake
        .file(FILE)
        .getByRole('button', { name: /show them/ })
        .click();
      await intake.line(FILE, 4).waitFor();
      expect(intake.page.url()).toMatch(/section=lines$/);
      expect(await intake.lines(FILE).count()).toBe(3);
      expect(await intake.line(FILE, 4).innerText()).toContain('changed since it was written');
      expect(await intake.line(FILE, 6).innerText()).toContain('⟨U+202E⟩');
    });
  });

  test('has each line’s text and reason in a dialog, harmless, and says where the whole of it lies', async () => {
    await withIntake(async (intake, { page }) => {
      await intake.open('?section=lines');
      await intake.openLine(FILE, 5);
      const text = await intake.dialog.innerText();
      expect(text).toContain('newer_member');
      expect(text).toContain('<script>window.hacked=1</script>');
      expect(text).toContain(path.join(inject('spool_folder'), 'rejected', FILE));
      expect(await accessibilityFaults(page)).toEqual([]);
      await intake.dialog.getByRole('button', { name: 'Try again' }).click();
      await intake
        .said()
        .getByText(/^Refused again: .*newer_member/)
        .waitFor();
      await page.keyboard.press('Escape');
      await intake.dialog.waitFor({ state: 'detached' });
      // refused again, it stays open
      expect(await intake.line(FILE, 5).count()).toBe(1);
    });
  });

  test('loses a line that is set aside to those dealt with', async () => {
    await withIntake(async (intake, { page }) => {
      await intake.open('?section=lines');
      await intake.openLine(FILE, 6);
      await intake.dialog.getByRole('button', { name: 'Set aside' }).click();
      await intake.said().getByText('Set aside.').waitFor();
      await intake.dialog.getByRole('button', { name: 'Close' }).last().click();
      await intake.line(FILE, 6).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Dealt with \d/ }).click();
      await intake
        .line(FILE, 6)
        .getByText(/set aside by operator/)
        .waitFor();
      expect(page.url()).toMatch(/open=false/);
      await page.goBack();
      await intake.line(FILE, 5).waitFor();
    });
  });

  test('gives a line that is taken now to its entry', async () => {
    const client = new pg.Client({ connectionString: inject('database_url') });
    await client.connect();
    try {
      // as if a newer version took what an older one refused
      await client.query("update dlq.rejected_line set head = $1 where line = 5 and head like '%newer_member%'", [
        JSON.stringify(spooledCapture(77)),
      ]);
    } finally {
      await client.end();
    }
    await withIntake(async (intake, { page }) => {
      await intake.open('?section=lines');
      await intake
        .line(FILE, 5)
        .getByRole('button', { name: /^Try again/ })
        .click();
      await page.getByRole('status').getByText('Stored as a new entry').waitFor();
      await page.getByRole('button', { name: 'Open the entry' }).click();
      await page.waitForURL(/\/dead-letters\/\d+$/);
      await page.getByText('unit/77').first().waitFor();
    });
  });
});

describe('a producer’s token', () => {
  test('is made, shown once, used and revoked', async () => {
    await withIntake(async (intake, { page }) => {
      await intake.open('?section=producers');
      await page.getByRole('button', { name: 'New token' }).click();
      await intake.dialog.getByRole('button', { name: 'Make token' }).click();
      await intake.dialog.getByText(/^Name the producer/).waitFor();
      await intake.dialog.getByLabel('Name').fill('night-batch');
      await intake.dialog.getByLabel('Queue').fill('production');
      await intake.dialog.getByLabel('Tasks').fill('clip, merge');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Enter');
      const secret = await intake.dialog.locator('[data-secret]').innerText();
      expect(secret).toMatch(/^dlo_p_\d+_[\w-]{43}$/);
      expect(await intake.dialog.innerText()).toContain(`curl ${base_url}/api/dead-letters`);
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await intake.dialog.getByText(/Not copied yet/).waitFor();
      await page.keyboard.press('Escape');
      await intake.dialog.waitFor({ state: 'detached' });

      const bearer = { authorization: `Bearer ${secret}` };
      const sent = await post('/api/dead-letters', { work_key: 'by token', task_name: 'clip' }, bearer);
      expect(sent).toMatchObject({ status: 200, json: { outcome: 'created' } });
      await page.reload();
      expect(await intake.token('night-batch').innerText()).toContain('production');
      expect(await page.content()).not.toContain(secret);

      await intake
        .token('night-batch')
        .getByRole('button', { name: /^Revoke/ })
        .click();
      await intake.dialog.getByRole('button', { name: 'Revoke' }).click();
      await intake.dialog.waitFor({ state: 'detached' });
      await intake.token('night-batch').waitFor({ state: 'detached' });
      expect(await post('/api/dead-letters', { work_key: 'x', task_name: 'clip' }, bearer)).toMatchObject({
        status: 401,
      });
      await page.getByRole('button', { name: /^Ended \d/ }).click();
      await intake
        .token('night-batch')
        .getByText(/^revoked/)
        .waitFor();
    });
  });
});

describe('the ledger of runs', () => {
  beforeAll(async () => {
    const tiles = Array.from({ length: 300 }, (_, i) => `14/${4400 + i}/6114`);
    const run = { run_id: 'tiles/2026-11-30', task_name: 'tiles', queue: 'production' };
    await post('/api/runs', { ...run, tiles });
    await post('/api/runs', { ...run, succeeded: tiles.slice(0, 40), status: 'finished', duration_ms: 8_460_000 });
    await post('/api/runs', { run_id: HOSTILE.slice(0, 300), task_name: HOSTILE.slice(0, 200) });
  });

  test('shows the missing tiles of a run, and its address leads there', async () => {
    await withIntake(async (intake, { page }) => {
      await intake.open();
      await intake.go('runs');
      expect(await intake.tile('runs').innerText()).toMatch(/\d units missing/);
      expect(await intake.run('tiles/2026-11-30').innerText()).toMatch(/260\s+2 h 21 min/);
      await intake.run('tiles/2026-11-30').getByRole('button').click();
      await intake.dialog.getByText('260 tiles missing').waitFor();
      const holes = intake.dialog.getByRole('list', { name: 'Missing tiles' }).getByRole('listitem');
      expect(await holes.count()).toBe(200);
      expect(await holes.first().innerText()).toBe('14/4440/6114');
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.reload();
      await intake.dialog.getByRole('button', { name: 'More tiles' }).click();
      await holes.nth(259).waitFor();
    });
  });
});

test('a server that does not answer is said, with what is still shown, until it answers again', async () => {
  await withIntake(async (intake, { page }) => {
    await intake.open('?section=lines&open=false');
    await intake.line(FILE, 6).waitFor();
    await page.context().setOffline(true);
    const said = page.getByRole('alert').filter({ hasText: 'The server does not answer.' });
    await said.waitFor();
    expect(await said.innerText()).toMatch(/Shown: \d\d:\d\d:\d\d, \d+ s old/);
    expect(await intake.line(FILE, 6).count()).toBe(1);
    await page.context().setOffline(false);
    await said.getByRole('button', { name: 'Try now' }).click();
    await said.waitFor({ state: 'detached' });
  });
});

describe('the way there', () => {
  test('is in the bar, and by the keys g i', async () => {
    await withIntake(async (intake, { page }) => {
      await page.goto('/operations');
      await page.getByRole('heading', { name: 'Operations' }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('i');
      await intake.tile('spools').waitFor();
      expect(await page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]').innerText()).toBe('Intake');
      await page.keyboard.press('?');
      await intake.dialog.getByText('intake', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await intake.dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /^Docs/ }).click();
      await page.getByRole('heading', { name: 'How to capture' }).waitFor();
    });
  });

  test.each(['', '?section=lines', '?section=lines&open=false', '?section=producers', '?section=runs'])(
    'fits a phone: /intake%s',
    async (search) => {
      await withIntake(
        async (intake, { page }) => {
          await intake.open(search);
          await page.waitForLoadState('networkidle');
          expect(await intake.overflow()).toBeLessThanOrEqual(0);
          expect(await accessibilityFaults(page)).toEqual([]);
        },
        { theme: 'dark', width: 390 },
      );
    },
  );
});
