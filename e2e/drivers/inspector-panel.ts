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
