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

  /** The canvas of the source pane has been painted with what is shown now. */
  async sourcePane(): Promise<Locator> {
    const pane = this.root.locator('figure.pane').nth(0);
    await pane.locator('canvas[data-painted="true"]').waitFor({ state: 'attached' });
    return pane;
  }

  /** The map of this entry in one sentence. */
  async mapSentence(): Promise<string> {
    return (await this.mapPane()).locator('p.sr').innerText();
  }

  async closeUp(): Promise<Locator> {
    await this.root.getByRole('button', { name: 'Close-up', exact: true }).click();
    return this.mapPane();
  }

  async verdict(): Promise<string> {
    return this.root.locator('.verdict').innerText();
  }

  get faults(): Locator {
    return this.root.getByRole('table', { name: 'Faults' }).locator('tbody tr');
  }

  /** Each fault as `code: where`, in the order of its number. */
  async faultWords(): Promise<string[]> {
    await this.faults.first().waitFor();
    return this.faults.evaluateAll((rows) =>
      rows.map((row) => `${row.querySelector('button')?.textContent}: ${row.children[2]?.textContent}`),
    );
  }

  /** Waits until the fault of this number is the current one: in the table and in the address. */
  async faultIsCurrent(number: number): Promise<void> {
    await this.faults
      .nth(number - 1)
      .and(this.page.locator('[aria-selected="true"]'))
      .waitFor();
    await this.page.waitForURL((url) => url.searchParams.get('fault') === String(number));
  }

  get candidates(): Locator {
    return this.root.getByRole('table', { name: 'Candidates' }).locator('tbody tr');
  }

  /** What the caption of the source pane says of how the numbers are read. */
  async readAs(): Promise<string> {
    return this.root.locator('figure.pane').nth(0).locator('figcaption .cap').innerText();
  }

  /** A way to copy the geometry: why it is not offered, or null where it is. */
  async copyRefusal(name: string): Promise<string | null> {
    await this.root.getByRole('button', { name: 'Copy as' }).click();
    const way = this.page.locator('.copy-as button').filter({ hasText: new RegExp(`^${name}`) });
    const refused = (await way.getAttribute('aria-disabled')) === 'true';
    const said = await way.locator('.cap').innerText();
    await this.page.keyboard.press('Escape');
    await way.waitFor({ state: 'detached' });
    return refused ? said : null;
  }
}
