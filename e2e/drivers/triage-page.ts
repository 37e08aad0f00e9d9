import type { Locator, Page } from 'playwright';

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
      .filter({ has: this.page.getByRole('heading', { name: facet, exact: true }) });
    await section.getByRole('button', { name: new RegExp(`^${value}, `) }).click();
    await this.page.locator('.chip', { hasText: value }).waitFor();
    await this.settled();
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

  /** Whether the map's picture holds anything but its ground: pixels in the colour of a failure class. */
  async pixelsOf(rgb: readonly [number, number, number]): Promise<number> {
    const picture = await this.page.locator('.map-gl').first().screenshot();
    return this.page.evaluate(
      async ({ base64, wanted }) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        if (!context) throw new Error('no 2D canvas');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (wanted.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= 3)) found += 1;
        return found;
      },
      { base64: picture.toString('base64'), wanted: [...rgb] },
    );
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
