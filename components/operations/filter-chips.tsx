import { conditionsOf } from '@/components/triage/condition.model';
import { countedText } from '@/components/ui/number-text';
import type { Filter } from '@/lib/contract/filter';

/** What a set was frozen by, to read and not to change. A filter without a state means the unresolved. */
export function FilterChips({
  filter,
  ids = null,
  now,
}: {
  filter: Filter | null;
  /** How many were named one by one, where that is known. */
  ids?: number | null;
  now: string;
}) {
  const chips = filter ? conditionsOf(filter, now) : [];
  return (
    <ul className="chips" aria-label="The set">
      {filter && !filter.state && !filter.ids && <Chip label="state" value="unresolved" />}
      {chips.map(({ key, label, text, mono, excluded }) => (
        <Chip key={key} label={excluded ? `not ${label}` : label} value={text} mono={mono} excluded={excluded} />
      ))}
      {!filter && <Chip label="by hand" value={ids === null ? 'ticked' : countedText(ids, 'entry', 'entries')} />}
    </ul>
  );
}

function Chip({
  label,
  value,
  mono = false,
  excluded = false,
}: {
  label: string;
  value: string;
  mono?: boolean;
  excluded?: boolean;
}) {
  return (
    <li className={`chip${excluded ? ' not' : ''}`} title={`${label} ${value}`}>
      <span className="k">{label}</span>
      <span className={`v trunc${mono ? ' mono' : ''}`}>{value}</span>
    </li>
  );
}
