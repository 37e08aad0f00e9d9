import type { Locator, Page } from 'playwright';

export type IntakeSection = 'spools' | 'lines' | 'producers' | 'runs';

const TILES: Record<IntakeSection, RegExp> = {
  spools: /^Files waiting/,
  lines: /^Lines that could not/,
  producers: /^Producers/,
  runs: /^Runs with missing/,
};

/** What producers send and what could not be taken. */
export class IntakePage {
  readonly dialog: Locator;
  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog');
  }

  async open(search = ''): Promise<void> {
    await this.page.goto(`/intake${search}`);
    await this.tile('spools').waitFor();
  }

  tile(section: IntakeSection): Locator {
    return this.page
      .getByRole('navigation', { name: 'Sections of the intake' })
      .getByRole('link', { name: TILES[section] });
  }

  async go(section: IntakeSection): Promise<void> {
    await this.tile(section).click();
  }

  file(name: string): Locator {
    return this.page
      .getByRole('table', { name: /^Spool files/ })
      .getByRole('row')
      .filter({ hasText: name });
  }

  /** Rejected lines of a file, newest first. */
  lines(name: string): Locator {
    return this.page
      .getByRole('table', { name: /^Lines that could not/ })
      .getByRole('row')
      .filter({ hasText: name });
  }

  line(name: string, number: number): Locator {
    return this.lines(name).filter({ has: this.page.getByText(`, line ${number} of ${name}: show it`) });
  }

  async openLine(name: string, number: number): Promise<void> {
    await this.line(name, number)
      .getByRole('button', { name: /show it/ })
      .click();
    await this.dialog.waitFor();
  }

  /** What came of an action, in the open dialog. */
  said(): Locator {
    return this.dialog.getByRole('status').filter({ hasText: /./ });
  }

  token(name: string): Locator {
    return this.page
      .getByRole('table', { name: /^Tokens/ })
      .getByRole('row')
      .filter({ hasText: name });
  }

  run(run_id: string): Locator {
    return this.page.getByRole('table', { name: /^Runs/ }).getByRole('row').filter({ hasText: run_id });
  }

  /** How much wider the page is than the window, in px. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  }
}
