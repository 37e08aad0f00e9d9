import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright';

export type Theme = 'light' | 'dark';

/** A page of the app in a browser context of its own; what the browser complained about is kept. */
export interface AppPage {
  page: Page;
  /** Errors of scripts and of the content policy since the page was opened. */
  complaints: string[];
  close: () => Promise<void>;
}

/** First paint with SwiftShader on a busy machine. */
const SLOW_MS = 90_000;

export async function openApp(
  browser: Browser,
  base_url: string,
  { theme = 'light', width = 1440, height = 900 }: { theme?: Theme; width?: number; height?: number } = {},
): Promise<AppPage> {
  const context = await browser.newContext({ baseURL: base_url, viewport: { width, height }, colorScheme: theme });
  context.setDefaultTimeout(SLOW_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/content security policy|hydrat/i.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
}

/** Rules of WCAG 2.2 A and AA that the page, or what a selector names of it, breaks, each with its first place. */
export async function accessibilityFaults(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (within === undefined ? axe : axe.include(within))
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)} (${nodes.length})`);
}

/** The same in both themes, of a page that follows the system's. It is left in the light one. */
export async function accessibilityFaultsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    // without motion no colour is on its way while it is read
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    faults.push(...(await accessibilityFaults(page, within)).map((fault) => `${theme}: ${fault}`));
  }
  return faults;
}
