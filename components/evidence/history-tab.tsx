import { useMemo } from 'react';
import { Icon, type IconName } from '@/components/ui/icon';
import { exactText } from '@/components/ui/time-text';
import type { Entry } from '@/lib/contract/entry';
import { type HistoryLine, mergeHistory, unlistedFailures } from './history.model';
import { Moment } from './moment';

const ICONS: Record<HistoryLine['kind'], IconName> = {
  failure: 'triangle-alert',
  state: 'arrow-up-right',
  redrive: 'send',
};
const KINDS: Record<HistoryLine['kind'], string> = { failure: 'Failure', state: 'State', redrive: 'Redrive' };

/** Everything that happened to the entry, newest first. Times are UTC. */
export function HistoryTab({ entry, now }: { entry: Entry; now: number }) {
  const { occurrences, events, redrives } = entry;
  const lines = useMemo(() => mergeHistory({ occurrences, events, redrives }), [occurrences, events, redrives]);
  return (
    <>
      <p className="cap">{[...unlistedFailures(entry), 'Times are UTC.'].join(' ')}</p>
      <ol className="hist-l">
        {lines.map((line) => (
          <li key={line.key} className={`h-${line.kind}`}>
            <span className="h-at" title={exactText(line.at)}>
              <Moment at={line.at} now={now} clock />
            </span>
            <Icon name={ICONS[line.kind]} />
            <div>
              <p>
                <span className="sr">{KINDS[line.kind]}: </span>
                <b className="strong">{line.what.replaceAll('_', ' ')}</b> <span className="faint">{line.actor}</span>
                {line.code_version && (
                  <span className="faint">
                    {' '}
                    code <span className="mono">{line.code_version}</span>
                  </span>
                )}
              </p>
              {line.reason && <p className="h-why dim">{line.reason}</p>}
              {line.attempt_id && (
                <p className="cap">
                  attempt <span className="mono">{line.attempt_id}</span>
                </p>
              )}
              {line.operation_id && (
                <p className="cap">
                  <a className="link" href={`/operations/${line.operation_id}`}>
                    operation {line.operation_id}
                  </a>
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
