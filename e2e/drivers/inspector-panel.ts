import type { Locator, Page } from 'playwright';

export type TabName = 'Evidence' | 'Params' | 'Traceback' | 'History' | 'Redrive';

/** One entry, beside the list or on its own page. */
export class InspectorPanel {
  constructor(readonly page: Page) {}

  get root(): Locator {
    return this.page.locator('.insp-in');
  }

  get body(): Locator {
    return this.root.getByRole('tabpanel');
  }

  /** This entry, not the one that was open before. */
  async shows(work_key: string): Promise<void> {
    await this.root
      .locator('h2')
      .and(this.page.getByTitle(work_key, { exact: true }))
      .waitFor();
  }

  /** The evidence has arrived: both panes stand, whatever they hold. */
  async panesAreThere(): Promise<void> {
    await this.root.locator('figure.pane').nth(1).waitFor();
  }

  async tab(name: TabName): Promise<Locator> {
    await this.root.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await this.root.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
    return this.body;
  }

  /** What the source pane says it shows, in one sentence. */
  async sourceSentence(): Promise<string> {
    return (await this.root.locator('[data-pane="source"]').getAttribute('aria-label')) ?? '';
  }

  /** The pane beside it: the map with the reprojected geometry, drawn. */
  async mapPane(): Promise<Locator> {
    const pane = this.root.locator('figure.pane').nth(1);
    await pane.locator('.map-gl[data-map-idle="true"]').waitFor({ state: 'attached' });
    return pane;
  }
}
