'use client';
import { Icon } from '@/components/ui/icon';
import { Popover } from '@/components/ui/popover';
import { QUERY_HELP } from './query-help.model';

/** How a filter is written, by example. */
export function QueryHelp() {
  return (
    <Popover
      label="How a filter is written"
      align="end"
      trigger={
        <button type="button" className="btn btn-s btn-icon btn-quiet" aria-label="How a filter is written">
          <Icon name="circle-help" />
        </button>
      }
    >
      <div className="qhelp">
        <p className="strong">A filter is words; each narrows it.</p>
        <dl>
          {QUERY_HELP.map(({ query, means }) => (
            <div key={query}>
              <dt className="mono">{query}</dt>
              <dd>{means}</dd>
            </div>
          ))}
        </dl>
        <p className="dim">
          <kbd>/</kbd> goes to the bar, <kbd>Tab</kbd> completes, <kbd>Enter</kbd> applies, <kbd>Backspace</kbd> takes
          the last condition back, <kbd>Esc</kbd> leaves.
        </p>
      </div>
    </Popover>
  );
}
