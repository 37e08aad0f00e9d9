import type { Locator, Page } from 'playwright';
import { TriagePage } from './triage-page';

/** The bar of the triage page in which the filter is typed, as chips or as one text. */
export class QueryBar {
  readonly #triage: TriagePage;

  constructor(readonly page: Page) {
    this.#triage = new TriagePage(page);
  }

  get root(): Locator {
    return this.page.getByRole('region', { name: 'Filter' });
  }

  /** The field beside the chips, and the one that holds the whole text. */
  get field(): Locator {
    return this.page.locator('#add-condition');
  }

  get problem(): Locator {
    return this.root.getByRole('alert');
  }

  /** Words that are marked in the whole text. */
  get marked(): Locator {
    return this.root.locator('.qtext-mirror mark');
  }

  suggestion(label: string): Locator {
    return this.root.getByRole('option', { name: label });
  }

  /** Goes to the bar by its key and puts a text in. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.press('/');
    await this.page.locator('#add-condition:focus').fill(text);
  }

  async apply(text: string): Promise<void> {
    await this.type(text);
    await this.page.keyboard.press('Enter');
  }

  async asText(): Promise<void> {
    await this.root.getByRole('button', { name: 'As text' }).click();
    await this.root.getByRole('textbox', { name: 'The filter as text' }).waitFor();
  }

  text(): Promise<string> {
    return this.field.inputValue();
  }

  /** Parts of the bar that lie over the total and the buttons beside it. */
  overlaps(): Promise<number> {
    return this.root.evaluate((bar) => {
      const beside = bar.querySelector('.qright')?.getBoundingClientRect() ?? new DOMRect();
      const boxes = [...bar.querySelectorAll('.query > *')].map((part) => part.getBoundingClientRect());
      return boxes.filter((box) => box.right > beside.left + 1 && box.bottom > beside.top + 1).length;
    });
  }

  async removeChip(words: string): Promise<void> {
    await this.root.getByRole('button', { name: `Remove ${words}` }).click();
    await this.#triage.settled();
  }
}
