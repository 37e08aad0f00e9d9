import { boundText } from '@/components/ui/number-text';
import { exportPath } from '@/lib/api/export';
import { EXPORT_FORMATS } from '@/lib/contract/export';
import type { KeyCommand } from '../keys.model';
import { GROUPS } from '../triage-url.model';
import type { Command } from './command.model';
import type { TriagePage } from './page-context';

const ACTIONS = [
  { command: 'redrive', title: 'Redrive', key: 'r' },
  { command: 'abandon', title: 'Abandon', key: 'e' },
  { command: 'quarantine', title: 'Quarantine', key: 'q' },
] as const;
const GROUP_TITLES = { entries: 'Show the entries', signatures: 'Show by signature', time: 'Show by class and time' };

/** What the triage page can do now: act on what is ticked or open, take away what matches, show it another way. */
export function pageCommands(page: TriagePage): Command[] {
  const { state, shown, scope } = page;
  const by_key = (command: KeyCommand, title: string, key: string, group = 'This page'): Command => ({
    id: command,
    group,
    title,
    keys: [key],
    run: () => page.run(command),
  });
  const commands: Command[] = [];
  if (scope) {
    const on = `${scope.slice(0, 1).toLowerCase()}${scope.slice(1)}`;
    for (const { command, title, key } of ACTIONS) commands.push(by_key(command, `${title} ${on}…`, key, 'Actions'));
  }
  commands.push(by_key('add_condition', 'Add a condition', '/'));
  commands.push(by_key('draw_area', 'Draw an area on the map', 'd'));
  if (Object.keys(state.filter).length > 0)
    commands.push({ id: 'clear', group: 'This page', title: 'Clear the conditions', run: () => page.setFilter({}) });
  for (const group of GROUPS)
    if (group !== state.group)
      commands.push({
        id: `group ${group}`,
        group: 'This page',
        title: GROUP_TITLES[group],
        keys: ['s'],
        run: () => page.setGroup(group),
      });
  commands.push(by_key('copy_link', 'Copy the link', 'y'));
  if (shown && shown.answer.total > 0) {
    const count = boundText(shown.answer.total, shown.answer.capped);
    commands.push({ ...by_key('tick_all', 'Tick all matching', 'a'), count });
    for (const format of EXPORT_FORMATS)
      commands.push({
        id: `export ${format}`,
        group: 'Export',
        title: `Export as ${format}`,
        detail: 'download file',
        count,
        run: () => download(exportPath(format, shown.filter)),
      });
  }
  if (state.entry) commands.push(by_key('back', 'Close the entry', 'Esc'));
  return commands;
}

function download(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}
