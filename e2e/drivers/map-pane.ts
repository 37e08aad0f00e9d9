import type { Locator, Page } from 'playwright';

/** The triage map as its user meets it: pointer, list of cells, legend, note of what failed. */
export class MapPane {
  constructor(readonly page: Page) {}

  get box(): Locator {
    return this.page.locator('section.mapbox');
  }

  /** What lies under the pointer, in words. */
  get popover(): Locator {
    return this.box.locator('.map-pop');
  }

  get legend(): Locator {
    return this.box.getByLabel('Legend', { exact: true }).and(this.page.locator('dl'));
  }

  get legendButton(): Locator {
    return this.box.getByRole('button', { name: 'Legend' });
  }

  /** Says that tiles did not load. */
  get failure(): Locator {
    return this.box.locator('.map-note');
  }

  get cells(): Locator {
    return this.box.locator('.cells-list li');
  }

  /** Middle of the picture, where the address's place lies; `beside` px from it. */
  private async middle(beside = 0): Promise<[x: number, y: number]> {
    const box = await this.box.locator('canvas.maplibregl-canvas').boundingBox();
    if (!box) throw new Error('the map is not there');
    return [box.x + box.width / 2 + beside, box.y + box.height / 2];
  }

  async hoverMiddle(): Promise<void> {
    // a pointer that comes from elsewhere moves
    await this.page.mouse.move(...(await this.middle(120)));
    await this.page.mouse.move(...(await this.middle()));
  }

  async clickMiddle(): Promise<void> {
    await this.page.mouse.click(...(await this.middle()));
  }

  /** Opens the list of cells by keyboard. */
  async listCells(): Promise<void> {
    await this.page.getByRole('button', { name: 'Layers and cells in view' }).focus();
    await this.page.keyboard.press('Enter');
    await this.cells.first().waitFor();
  }

  /** Zoom of the address; the map was moved by then. */
  async zoom(): Promise<number> {
    await this.page.waitForURL((url) => url.searchParams.has('map'));
    return Number(new URL(this.page.url()).searchParams.get('map')?.split('/')[0]);
  }
}
