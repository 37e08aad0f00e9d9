import type { View } from '@/lib/contract/view';
import type { Recent } from '../views/recent.model';
import { searchText, viewAddress, viewOf } from '../views/view.model';
import type { Command } from './command.model';

/** Saved views by name, then the filters looked at last that none of them is; `openMenu` is where one is saved. */
export function viewCommands(
  views: readonly View[],
  recent: readonly Recent[],
  visit: (search: string) => void,
  openMenu: (() => void) | null,
): Command[] {
  const now = Date.now();
  const unsaved = recent.filter(({ search }) => !viewOf(search, views));
  return [
    ...views.map((view) => ({
      id: `view ${view.id}`,
      group: 'Views',
      title: `View: ${view.name}`,
      detail: searchText(view.search, now),
      run: () => visit(viewAddress(view)),
    })),
    ...unsaved.map(({ search }) => ({
      id: `recent ${search}`,
      group: 'Views',
      title: `Recent: ${searchText(search, now)}`,
      run: () => visit(search),
    })),
    ...(openMenu ? [{ id: 'views', group: 'Views', title: 'Save, rename or delete a view…', run: openMenu }] : []),
  ];
}
