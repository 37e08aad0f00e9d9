import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright';
import { launchBrowser } from '@/e2e/drivers/browser';
import { less, more } from './row';

/** Frames of a pan that are timed, after some that are not. */
const FRAMES = 120;
const WARM_UP = 20;

/**
 * `tsx test/bench/panes.ts --url http://127.0.0.1:3000 [--vertices 1000000]`: an entry of so many vertices in the running
 * app, in headless Chromium without a GPU: until the source pane is painted, and how fast it is panned. The baseline is an
 * entry of 100 vertices in the same run.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: 'string' }, vertices: { type: 'string', default: '1000000' } },
  });
  if (!values.url) throw new Error('--url: where the app answers');
  const base_url = values.url;
  const vertices = Number(values.vertices);
  const small = await captureStar(base_url, 100);
  const large = await captureStar(base_url, vertices);
  const browser = await launchBrowser();
  try {
    await measure(browser, base_url, small);
    const baseline = await measure(browser, base_url, small);
    const figure = await measure(browser, base_url, large);
    console.table([
      less(`${vertices} vertices: evidence there → source pane painted`, figure.paint_ms, 'ms', baseline.paint_ms),
      less(`${vertices} vertices: address entered → source pane painted`, figure.open_ms, 'ms', baseline.open_ms),
      more(`${vertices} vertices: pan of the whole shape`, figure.fit.fps, 'frames/s', baseline.fit.fps),
      less(
        `${vertices} vertices: page's thread for a frame of it`,
        figure.fit.cpu_ms,
        'ms of CPU',
        baseline.fit.cpu_ms,
      ),
      more(`${vertices} vertices: pan of a close-up`, figure.close.fps, 'frames/s', baseline.close.fps),
      less(
        `${vertices} vertices: page's thread for a frame of it`,
        figure.close.cpu_ms,
        'ms of CPU',
        baseline.close.cpu_ms,
      ),
    ]);
  } finally {
    await browser.close();
  }
}

/** A ring with small waves, so that no vertex lies on the line of its neighbours. */
async function captureStar(base_url: string, count: number): Promise<string> {
  const bytes = Buffer.alloc(13 + count * 16);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(3, 1);
  bytes.writeUInt32LE(1, 5);
  bytes.writeUInt32LE(count, 9);
  for (let i = 0; i < count; i++) {
    const turn = (i % (count - 1)) / (count - 1);
    const radius = 0.4 + 0.02 * Math.sin(turn * 2 * Math.PI * 5000) + 0.05 * Math.sin(turn * 2 * Math.PI * 7);
    bytes.writeDoubleLE(10 + radius * Math.cos(turn * 2 * Math.PI), 13 + i * 16);
    bytes.writeDoubleLE(50 + radius * Math.sin(turn * 2 * Math.PI), 21 + i * 16);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const binary = { 'content-type': 'application/octet-stream' };
  await ask(`${base_url}/api/blobs/${sha256}`, { method: 'PUT', headers: binary, body: bytes });
  const entry = {
    work_key: `bench/panes/${count}`,
    task_name: 'bench_panes',
    src_crs: 'EPSG:4326',
    payload_ref: `sha256:${sha256}`,
    geom_format: 'wkb',
    failure_class: 'invalid_geometry',
  };
  const headers = { 'content-type': 'application/json' };
  const answer = await ask(`${base_url}/api/dead-letters`, { method: 'POST', headers, body: JSON.stringify(entry) });
  const { id } = JSON.parse(answer) as { id: string };
  for (let tries = 0; tries < 600; tries++) {
    const evidence = JSON.parse(await ask(`${base_url}/api/dead-letters/${id}/evidence`, {})) as {
      diagnosed_at: unknown;
    };
    if (evidence.diagnosed_at !== null) return id;
    await wait(500);
  }
  throw new Error(`dead letter ${id} was not diagnosed in five minutes`);
}

async function ask(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

async function measure(browser: Browser, base_url: string, id: string) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    // tsx names the functions that it hands to the page by a helper of its own
    await page.addInitScript('globalThis.__name = (named) => named');
    let evidence_at = 0;
    page.on('requestfinished', (request) => {
      if (request.url().endsWith(`/${id}/evidence`)) evidence_at = performance.now();
    });
    const from = performance.now();
    await page.goto(`${base_url}/?entry=${id}`);
    await page
      .locator('[data-pane="source"] canvas[data-painted="true"]')
      .waitFor({ state: 'attached', timeout: 120_000 });
    const painted = performance.now();
    await page.waitForLoadState('networkidle');
    const fit = await pan(page);
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom in' }).first().click();
    return { open_ms: painted - from, paint_ms: painted - evidence_at, fit, close: await pan(page) };
  } finally {
    await page.close();
  }
}

/** Frames a second, and what one costs the page's thread: the second does not depend on what else the machine does. */
async function pan(page: Page): Promise<{ fps: number; cpu_ms: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await spent();
  const fps = await panRate(page);
  const cpu_ms = ((await spent()) - before) / (FRAMES + WARM_UP);
  await session.detach();
  return { fps, cpu_ms };
}

/** Frames a second while a pointer drags the pane to and fro, one step a frame; a frame counts when it was painted. */
function panRate(page: Page): Promise<number> {
  return page.locator('[data-pane="source"]').evaluate(
    (frame, { frames, warm_up }) =>
      new Promise<number>((resolve) => {
        const box = frame.getBoundingClientRect();
        const send = (type: string, step: number) =>
          frame.dispatchEvent(
            new PointerEvent(type, {
              pointerId: 1,
              isPrimary: true,
              bubbles: true,
              button: 0,
              clientX: box.left + box.width / 2 + 30 * Math.sin(step / 10),
              clientY: box.top + box.height / 2 + 20 * Math.cos(step / 10),
            }),
          );
        frame.setPointerCapture = () => {};
        send('pointerdown', 0);
        let step = 0;
        let from = 0;
        const next = (now: number) => {
          if (step === warm_up) from = now;
          if (step === warm_up + frames) {
            send('pointerup', step);
            resolve((frames * 1000) / (now - from));
            return;
          }
          step++;
          send('pointermove', step);
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    { frames: FRAMES, warm_up: WARM_UP },
  );
}

await main();
