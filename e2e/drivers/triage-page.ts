import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { countPixels } from './count-pixels';

/** The triage page as its user sees it: facets, map, ledger, list and the bar that acts. */
export class TriagePage {
  constructor(readonly page: Page) {}

  async open(search = ''): Promise<void> {
    await this.page.goto(`/${search}`);
    await this.grid.waitFor();
    await this.mapIsDrawn();
  }

  get grid(): Locator {
    return this.page.getByRole('region', { name: 'Entries' }).getByRole('grid');
  }

  get rows(): Locator {
    return this.grid.locator('tbody tr[id^="entry-"]');
  }

  get inspector(): Locator {
    return this.page.locator('.insp-in');
  }

  /** Every tile of the present filter and view is drawn. */
  async mapIsDrawn(): Promise<void> {
    await this.page.locator('.map-gl[data-map-idle="true"]').first().waitFor({ state: 'attached' });
  }

  /** Ticks a value of a facet by its word, and waits for the one answer that everything is drawn from. */
  async choose(facet: string, value: string): Promise<void> {
    const section = this.page
      .locator('section.facet')
      .filter({ has: this.page.getByRole('button', { name: facet, exact: true }) });
    await section.getByRole('button', { name: new RegExp(`^${value}, `) }).click();
    await this.page.locator('.chip', { hasText: value }).waitFor();
    await this.settled();
  }

  /** The same where the values do not stand as chips. */
  async tick(facet: string, value: string): Promise<void> {
    const section = this.page
      .locator('section.facet')
      .filter({ has: this.page.getByRole('button', { name: facet, exact: true }) });
    await section.getByRole('button', { name: new RegExp(`^${value}, `) }).click();
    await this.settled();
  }

  /** Values of a facet with their counts, as they are read out. */
  async facet(title: string): Promise<string[]> {
    const rows = this.page
      .locator('section.facet')
      .filter({ has: this.page.getByRole('button', { name: title, exact: true }) })
      .locator('button.frow');
    await rows.first().waitFor();
    return rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
  }

  /** Types a condition into the filter bar, from the key that leads there. */
  async typeCondition(text: string): Promise<void> {
    await this.page.keyboard.press('/');
    await this.page.locator('#add-condition:focus').fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** Conditions of the filter as their chips say them. */
  async conditions(): Promise<string[]> {
    return this.page.getByRole('region', { name: 'Filter' }).locator('.chip').allInnerTexts();
  }

  /** What matches, as a file; its name and its text. */
  async takeAway(format: 'CSV' | 'NDJSON' | 'GeoJSON'): Promise<{ name: string; text: string }> {
    await this.page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('link', { name: new RegExp(`^${format}`) }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    return { name: download.suggestedFilename(), text };
  }

  /** The answer to the present address is shown. */
  async settled(): Promise<void> {
    await this.page.waitForLoadState('networkidle');
    await this.page.locator('.triage:not(.is-stale)').waitFor();
  }

  /** Entries that match the filter, as the page says it. */
  async total(): Promise<number> {
    return numberIn(await this.page.locator('.qn b').innerText());
  }

  /** Entries that lie in the map's view, as the ledger says it. */
  async inView(): Promise<number> {
    return numberIn(
      await this.page.getByRole('region', { name: 'On and off the map' }).locator('b').first().innerText(),
    );
  }

  async ledger(): Promise<string> {
    return this.page.getByRole('region', { name: 'On and off the map' }).innerText();
  }

  /** Pixels of the map's picture in the colour of a failure class. */
  async pixelsOf(rgb: readonly [number, number, number]): Promise<number> {
    const picture = await this.page
      .locator('.map-gl')
      .first()
      // what lies over the map has the classes' colours too
      .screenshot({ style: '.legend { visibility: hidden }' });
    return countPixels(this.page, picture, rgb);
  }

  /** The work key of a row, whole: the cell may show it shortened. */
  async keyOf(index: number): Promise<string> {
    return (await this.rows.nth(index).locator('.c-key').getAttribute('title')) ?? '';
  }

  async openRow(index: number): Promise<void> {
    await this.rows.nth(index).locator('.c-key').click();
    await this.inspector.waitFor();
  }

  /** A button of the bar under the list, on everything that matches. */
  async act(label: 'Redrive…' | 'Abandon…' | 'Quarantine…'): Promise<void> {
    await this.page.getByRole('button', { name: label, exact: true }).first().click();
    await this.page.getByRole('dialog').waitFor();
  }
}

export function numberIn(text: string): number {
  const digits = text.replace(/[^\d]/g, '');
  if (digits === '') throw new Error(`no number in “${text}”`);
  return Number(digits);
}
