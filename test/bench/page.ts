import { openApp } from '@/e2e/drivers/app-page';
import { launchBrowser } from '@/e2e/drivers/browser';
import { firstLoad } from '@/e2e/drivers/first-load';
import { TriagePage } from '@/e2e/drivers/triage-page';
import { compare, STEPS } from '@/e2e/full/steps';
import { startTwoQueues } from '@/e2e/full/two-queues';
import { less, type Row } from './row';

/** The page in headless Chromium without a GPU, over a million entries and, as the baseline, over a thousand; and what it loads first. */
export async function benchPage(): Promise<Row[]> {
  const queues = await startTwoQueues();
  const browser = await launchBrowser();
  try {
    const open = async (base_url: string) => {
      const triage = new TriagePage((await openApp(browser, base_url)).page);
      await triage.open();
      return triage;
    };
    const [large, small] = [await open(queues.large_url), await open(queues.small_url)];
    const { gzip_bytes } = await firstLoad(queues.large_url);
    const rows = [less('page: scripts before the map, beside the budget', gzip_bytes / 1000, 'kB gzip', 350)];
    for (const [name, step] of Object.entries(STEPS)) {
      const { large_ms, small_ms } = await compare(step, large, small);
      rows.push(less(`page: who ${name}, 1,000,000 entries beside 1,000`, large_ms, 'ms median', small_ms));
    }
    return rows;
  } finally {
    await browser.close();
    await queues.stop();
  }
}
