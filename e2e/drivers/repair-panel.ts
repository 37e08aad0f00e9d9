import type { Locator, Page } from 'playwright';

/** The preview of a repair, under the faults of an open entry. */
export class RepairPanel {
  readonly root: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole('region', { name: 'Repair preview' });
  }

  get switch(): Locator {
    return this.page.getByRole('button', { name: 'Repair…' });
  }

  /** Opens it by keyboard. */
  async open(): Promise<void> {
    await this.switch.focus();
    await this.page.keyboard.press('Enter');
    await this.root.waitFor();
  }

  async choose(method: 'linework' | 'structure'): Promise<void> {
    await this.root.getByRole('button', { name: method }).click();
    await this.root.getByRole('button', { name: method, pressed: true }).waitFor();
  }

  /** Both pictures are painted and the figures are there. */
  async isShown(): Promise<void> {
    await this.loss.waitFor();
    await this.root.locator('canvas[data-painted="true"]').nth(1).waitFor({ state: 'attached' });
  }

  get loss(): Locator {
    return this.root.getByRole('table', { name: 'What is lost' });
  }

  /** A figure as `before → after`, and what is said of it. */
  async figure(name: string): Promise<{ change: string; note: string }> {
    const row = this.loss.getByRole('row', { name: new RegExp(`^${name}`) });
    const [before, after, note] = await row.getByRole('cell').allInnerTexts();
    return { change: `${before} → ${after}`, note: note ?? '' };
  }

  /** The word of the loss, and why. */
  get budget(): Locator {
    return this.root.locator('[data-loss]');
  }

  get slider(): Locator {
    return this.root.getByRole('slider', { name: 'Edge between before and after' });
  }

  get picture(): Locator {
    return this.root.getByRole('img');
  }

  /** What stands there instead of a repair, under its headline. */
  async refusal(): Promise<string> {
    return this.root.getByRole('status').filter({ hasText: 'No repair.' }).innerText();
  }
}
