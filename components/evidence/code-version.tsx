'use client';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { Popover } from '@/components/ui/popover';
import type { Entry } from '@/lib/contract/entry';
import { manifestWords } from './code-version.model';
import { Moment } from './moment';

/** The code version in which it failed last; behind it the versions before and after, and what the manifest knows. */
export function CodeVersion({ entry, now }: { entry: Entry; now: number }) {
  const { code_version, versions } = entry;
  const manifest = manifestWords(entry);
  return (
    <Popover
      label="Code versions"
      trigger={
        <button type="button" className="insp-v" title={manifest.text}>
          code <span className="mono">{code_version ?? 'unknown'}</span>
          {manifest.tone === 'bad' && <Icon name="triangle-alert" small />}
          <Icon name="chevron-down" small />
        </button>
      }
    >
      <p className={`vers-m ${manifest.tone === 'bad' ? 'warn-t' : ''}`}>{manifest.text}</p>
      {versions.length === 0 ? (
        <p className="cap">No other version of this task has failed.</p>
      ) : (
        <table className="tbl vers">
          <caption className="sr">Versions in which {entry.task_name} failed</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col" className="num">
                Entries
              </th>
              <th scope="col" className="num">
                First failed
              </th>
              <th scope="col" className="num">
                Last failed
              </th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => (
              <tr key={version.code_version} aria-selected={version.code_version === code_version}>
                <td className="mono" title={version.code_version}>
                  {version.code_version}
                  {version.code_version === code_version && <span className="sr"> (this entry)</span>}
                </td>
                <td className="num">{countText(version.entries)}</td>
                <td className="num">
                  <Moment at={version.first_seen} now={now} />
                </td>
                <td className="num">
                  <Moment at={version.failed_at} now={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Popover>
  );
}
