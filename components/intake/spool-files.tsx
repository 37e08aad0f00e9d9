import { bytesText } from '@/components/evidence/number-text.model';
import { countText } from '@/components/ui/number-text';
import { exactText, rowTimeText } from '@/components/ui/time-text';
import type { SpoolFileState, SpoolSourceState } from '@/lib/contract/spool';
import { LookPill } from './look-pill';
import { doneShare, FILE_LOOKS, linesText, nextTryText, placeText, shortPath } from './spool.model';
import { visibleText } from './visible-text.model';

/** Spool files, each with how far it was read and what its lines became. */
export function SpoolFiles({
  files,
  as_of,
  sources,
  onLines,
}: {
  files: readonly SpoolFileState[];
  as_of: string;
  sources: readonly SpoolSourceState[];
  onLines: () => void;
}) {
  return (
    <table className="tbl in-tbl in-files" aria-label="Spool files, newest first">
      <thead>
        <tr>
          <th>File</th>
          <th className="f-s">State</th>
          <th className="f-p">Read</th>
          <th className="num f-n">Lines</th>
          <th className="num f-n">Stored</th>
          <th className="num f-n">Known before</th>
          <th className="num f-n">Not taken</th>
          <th className="num f-z">Size</th>
          <th className="num f-t">Loaded</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <Row key={file.id} file={file} as_of={as_of} sources={sources} onLines={onLines} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  file,
  as_of,
  sources,
  onLines,
}: {
  file: SpoolFileState;
  as_of: string;
  sources: readonly SpoolSourceState[];
  onLines: () => void;
}) {
  const { name, source, state, error, lines, stored, duplicates, rejected, size_bytes, loaded_at } = file;
  const share = doneShare(file);
  const next_try = nextTryText(file, { sources, as_of });
  // among files of one watched place, a place is not named
  const is_elsewhere = source !== 'stdin' && (sources.length > 1 || sources[0]?.url !== source);
  const percent = `${Math.floor(share * 100)} %`;
  return (
    <tr>
      <td title={placeText(file)}>
        <span className="mono trunc in-block">{visibleText(name)}</span>
        {is_elsewhere && <span className="cap trunc in-block">{shortPath(visibleText(source), 40)}</span>}
        <span className="cap in-block narrow">{linesText(file)}</span>
        {error && <span className="cap bad-t in-block in-wrap">{visibleText(error)}</span>}
        {next_try && <span className="cap in-block in-wrap">{next_try}</span>}
      </td>
      <td>
        <LookPill look={FILE_LOOKS[state]} />
      </td>
      <td className="f-p">
        <span className="in-bar" role="img" aria-label={`${percent} read`}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
        <span className="num dim">{percent}</span>
      </td>
      <td className="num">{countText(lines)}</td>
      <td className="num">{countText(stored)}</td>
      <td className={`num ${duplicates > 0 ? '' : 'faint'}`}>{countText(duplicates)}</td>
      <td className="num">
        {rejected > 0 ? (
          <button type="button" className="link warn-t" onClick={onLines}>
            {countText(rejected)}
            <span className="sr"> lines of {visibleText(name)} were not taken: show them</span>
          </button>
        ) : (
          <span className="faint">0</span>
        )}
      </td>
      <td className="num dim">{bytesText(size_bytes)}</td>
      <td className="num mono dim" title={loaded_at ? exactText(loaded_at) : undefined}>
        {loaded_at && rowTimeText(loaded_at, as_of)}
      </td>
    </tr>
  );
}
