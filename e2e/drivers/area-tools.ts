import type { Locator, Page } from 'playwright';

/** What draws on the triage page's map, and what finds a place beside it. */
export class AreaTools {
  constructor(readonly page: Page) {}

  get map(): Locator {
    return this.page.getByRole('region', { name: 'Map', exact: true });
  }

  get bar(): Locator {
    return this.map.getByRole('group', { name: 'Drawing an area' });
  }

  button(name: string): Locator {
    return this.map.getByRole('button', { name, exact: true });
  }

  /** The drawing is ready for the pointer: its part of the app is there. */
  async ready(): Promise<void> {
    await this.bar.and(this.page.locator('[data-ready="true"]')).waitFor();
  }

  /** Clicks corners, in shares of the map's width and height, and the first one again. */
  async draw(corners: readonly (readonly [number, number])[]): Promise<void> {
    await this.ready();
    const box = await this.map.locator('canvas').first().boundingBox();
    if (!box) throw new Error('the map is not on the page');
    for (const [x, y] of [...corners, ...corners.slice(0, 1)]) {
      const at = [box.x + x * box.width, box.y + y * box.height] as const;
      await this.page.mouse.move(...at, { steps: 4 });
      await this.page.mouse.click(...at);
    }
  }

  async choosePlace(typed: string, name: string): Promise<void> {
    await this.button('Place').click();
    await this.page.getByRole('combobox', { name: 'Country or region' }).fill(typed);
    await this.page.getByRole('option', { name }).click();
  }
}
