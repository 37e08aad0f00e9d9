import type { Locator, Page } from 'playwright';
import { numberIn } from './triage-page';

/** The dialog before a bulk action. */
export class PreviewDialog {
  readonly root: Locator;
  constructor(readonly page: Page) {
    this.root = page.getByRole('dialog');
  }

  /** The set is frozen; the entries the action would take. */
  async eligible(): Promise<number> {
    const said = await this.root
      .getByRole('status')
      .filter({ hasText: /will/ })
      .first()
      .textContent({ timeout: 60_000 });
    return numberIn(said?.split(' will')[0] ?? '');
  }

  async fill(given: { reason: string; rate?: string; canary?: boolean; count?: number }): Promise<void> {
    if (given.rate !== undefined) await this.root.getByLabel('Rate').fill(given.rate);
    if (given.canary !== undefined) await this.root.getByRole('checkbox').setChecked(given.canary);
    await this.root.getByLabel('Reason').fill(given.reason);
    if (given.count !== undefined) await this.root.getByLabel('Type the count').fill(String(given.count));
  }

  async start(label: RegExp): Promise<void> {
    await this.root.getByRole('button', { name: label }).click();
  }
}

/** The page of one operation. */
export class OperationPage {
  constructor(readonly page: Page) {}

  async arrived(): Promise<string> {
    await this.page.waitForURL(/\/operations\/\d+/);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    return /\/operations\/(\d+)/.exec(this.page.url())?.[1] ?? '';
  }

  /** Waits until the page itself says so. */
  async isFinished(timeout_ms: number): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).getByText('finished').waitFor({ timeout: timeout_ms });
  }

  async outcome(label: string): Promise<number> {
    const term = this.page.getByRole('region', { name: 'Progress' }).locator('dt', { hasText: label });
    if ((await term.count()) === 0) return 0;
    return numberIn(await term.locator('xpath=following-sibling::dd').innerText());
  }
}
