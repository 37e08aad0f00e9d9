import type { Locator, Page } from 'playwright';

/** The table of entries: its columns, its menus, and what of it is in view. */
export class EntryTable {
  constructor(readonly page: Page) {}

  private get scroller(): Locator {
    return this.page.locator('.list-s').filter({ has: this.page.getByRole('grid') });
  }

  private head(id: string): Locator {
    return this.page.locator(`.entries th[data-column="${id}"]`);
  }

  private box(key: string): Locator {
    return this.page.getByRole('checkbox', { name: `Tick ${key}`, exact: true });
  }

  async tick(key: string): Promise<void> {
    await this.box(key).check();
  }

  async isTicked(key: string): Promise<boolean> {
    return this.box(key).isChecked();
  }

  /** Writes a moment into the field that the key leads to. */
  async goTo(moment: string): Promise<void> {
    await this.page.keyboard.press('t');
    await this.page.locator('input[name="moment"]').fill(moment);
    await this.page.keyboard.press('Enter');
    await this.page.waitForURL(/[?&]at=/);
  }

  async sortBy(name: string): Promise<void> {
    await this.page.getByRole('columnheader', { name }).getByRole('button').click();
  }

  /** The work key of the first row under the head. */
  async topKey(): Promise<string | null> {
    return this.scroller.evaluate((scroller) => {
      const under = (scroller.querySelector('thead')?.getBoundingClientRect().bottom ?? 0) + 2;
      const rows = [...scroller.querySelectorAll('tbody tr[id^="entry-"]')];
      const first = rows.find((row) => row.getBoundingClientRect().bottom > under);
      return first?.querySelector('td[aria-label]')?.getAttribute('aria-label') ?? null;
    });
  }

  /** Scrolls by the list's own end again and again, until a row is there. */
  async scrollUntil(way: 'up' | 'down', key: string): Promise<void> {
    await this.scroller.hover();
    for (let turns = 0; turns < 400; turns++) {
      if ((await this.box(key).count()) > 0) return;
      await this.page.mouse.wheel(0, way === 'up' ? -700 : 700);
      await this.page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
    }
    throw new Error(`${key} did not come into view`);
  }

  /** The columns that are seen, by their ids, in their order. */
  async columns(): Promise<string[]> {
    return this.page
      .locator('.entries th[data-column]')
      .evaluateAll((all) =>
        all.filter((th) => (th as HTMLElement).offsetWidth > 0).map((th) => (th as HTMLElement).dataset.column ?? ''),
      );
  }

  async widthOf(id: string): Promise<number> {
    return this.head(id).evaluate((th) => (th as HTMLElement).offsetWidth);
  }

  async openMenu(): Promise<void> {
    await this.page.getByRole('button', { name: 'Columns', exact: true }).click();
    await this.page.locator('.col-menu').waitFor();
  }

  async choose(title: string, on: boolean): Promise<void> {
    await this.page.locator('.col-menu').getByRole('checkbox', { name: title, exact: true }).setChecked(on);
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).press('Enter');
  }

  async dragEdge(id: string, px: number): Promise<void> {
    const box = await this.head(id).boundingBox();
    if (!box) throw new Error(`no column ${id}`);
    const [x, y] = [box.x + box.width - 3, box.y + box.height / 2];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + px, y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Drops a head before another one. */
  async dragHead(id: string, before: string): Promise<void> {
    const [from, to] = [await this.head(id).boundingBox(), await this.head(before).boundingBox()];
    if (!from || !to) throw new Error(`no column ${id} or ${before}`);
    await this.page.mouse.move(from.x + 12, from.y + from.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x + 8, to.y + to.height / 2, { steps: 6 });
    await this.page.mouse.up();
  }
}
