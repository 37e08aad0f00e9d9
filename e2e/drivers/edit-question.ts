import type { Locator, Page } from 'playwright';

/** What is asked before a payload is edited. */
export class EditQuestion {
  readonly root: Locator;
  constructor(
    readonly page: Page,
    title: string,
  ) {
    this.root = page.getByRole('dialog', { name: title });
  }

  /** Opens it by keyboard, with the button of this name. */
  async open(label: string): Promise<void> {
    await this.page.getByRole('button', { name: label, exact: true }).focus();
    await this.page.keyboard.press('Enter');
    await this.root.waitFor();
  }

  async changes(): Promise<string[]> {
    return this.root.getByRole('listitem').allInnerTexts();
  }

  get take(): Locator {
    return this.root.getByRole('button', { name: 'Make it the payload' });
  }

  /** Says why and takes it; resolves when it is done. */
  async answer(reason: string): Promise<void> {
    await this.root.getByLabel('Why').fill(reason);
    await this.page.keyboard.press('Enter');
    await this.root.waitFor({ state: 'detached' });
  }
}
