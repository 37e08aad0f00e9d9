import type { Locator, Page } from 'playwright';

/** The layer of ways from landing to tile: its switch and its groups, in the panel of the map's layers. */
export class DisplacementPanel {
  constructor(readonly page: Page) {}

  get switch(): Locator {
    return this.page.getByRole('checkbox', { name: 'Displacement' });
  }

  /** Opens the panel of layers and turns the layer on or off, by keyboard. */
  async turn(on: boolean): Promise<void> {
    if (!(await this.switch.isVisible())) {
      await this.page.getByRole('button', { name: 'Layers and cells in view' }).focus();
      await this.page.keyboard.press('Enter');
    }
    if ((await this.switch.isChecked()) !== on) {
      await this.switch.focus();
      await this.page.keyboard.press('Space');
    }
    await this.legend.waitFor({ state: on ? 'attached' : 'detached' });
  }

  get groups(): Locator {
    return this.page.locator('ol.displaced > li');
  }

  /** What the legend says of the layer while it is on. */
  get legend(): Locator {
    return this.page.locator('.legend').getByText('from landing to tile');
  }

  /** The layer in one sentence, for those who do not see the map. */
  summary(): Promise<string> {
    return this.page.locator('section.mapbox > p.sr').first().innerText();
  }
}
