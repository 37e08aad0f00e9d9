import { conditionsOf } from '@/components/triage/condition.model';
import { countedText } from '@/components/ui/number-text';
import type { Filter } from '@/lib/contract/filter';
import { UNRESOLVED_STATES } from '@/lib/dead-letter/vocabulary';
import './filter-chips.css';

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
  const isUnresolved = filter !== null && isAllUnresolved(filter);
  const chips = filter ? conditionsOf(isUnresolved ? { ...filter, state: undefined } : filter, now) : [];
  return (
    <ul className="chips" aria-label="The set">
      {isUnresolved && <Chip label="state" value="unresolved" />}
      {chips.map(({ key, label, text, mono, excluded }) => (
        <Chip key={key} label={excluded ? `not ${label}` : label} value={text} mono={mono} excluded={excluded} />
      ))}
      {!filter && <Chip label="by hand" value={ids === null ? 'ticked' : countedText(ids, 'entry', 'entries')} />}
    </ul>
  );
}

/** Said by naming each unresolved state, or by naming none. */
function isAllUnresolved({ state, ids }: Filter): boolean {
  if (!state) return !ids;
  return state.length === UNRESOLVED_STATES.length && UNRESOLVED_STATES.every((each) => state.includes(each));
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
