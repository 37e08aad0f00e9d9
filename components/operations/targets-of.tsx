import { countText } from '@/components/ui/number-text';
import type { Preview } from '@/lib/contract/operation';

const TASKS_SHOWN = 3;

/** Where the eligible go: each target with the tasks it takes. */
export function TargetsOf({ targets, eligible }: { targets: Preview['targets']; eligible: number }) {
  const names = [...new Set(targets.map(({ target }) => target))];
  return (
    <ul className="pv-targets">
      {names.map((name) => {
        const tasks = targets.filter(({ target }) => target === name);
        const count = tasks.reduce((sum, each) => sum + each.count, 0);
        const shown = tasks.slice(0, TASKS_SHOWN).map(({ task_name, count }) => `${task_name} ${countText(count)}`);
        const more = tasks.length - shown.length;
        return (
          <li key={name}>
            <b className="mono">{name}</b>{' '}
            <span className="dim" title={tasks.map((task) => `${task.task_name} ${task.count}`).join('\n')}>
              {tasks.length === 1 && count === eligible
                ? `for ${tasks[0]?.task_name}`
                : `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
