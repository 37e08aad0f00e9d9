'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Chip } from '@/components/ui/chip';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import { Popover } from '@/components/ui/popover';
import { clockText } from '@/components/ui/time-text';
import { useToast } from '@/components/ui/toast';
import { faultsQuery } from '@/lib/api/triage';
import { type Filter, statesOf } from '@/lib/contract/filter';
import { conditionsOf } from './condition.model';
import { ConditionInput } from './condition-input';
import { countedFields } from './suggestion.model';
import type { UnreadCondition } from './triage-url.model';
import type { Shown } from './use-triage-answer';

const CHIPS_SHOWN = 5;

export function FilterBar({
  filter,
  unread,
  shown,
  away,
  onFilter,
  onShowFacets,
}: {
  filter: Filter;
  unread: UnreadCondition[];
  shown: Shown | null;
  /** The server does not answer: what is shown is old. */
  away: boolean;
  onFilter: (filter: Filter) => void;
  onShowFacets: () => void;
}) {
  const toast = useToast();
  const now = shown?.answer.as_of ?? null;
  const conditions = useMemo(() => conditionsOf(filter, now ?? 0), [filter, now]);
  const { data: faults } = useQuery({ ...faultsQuery(shown?.filter ?? {}, now ?? ''), enabled: shown !== null });
  const facets = useMemo(() => shown && countedFields(shown.answer.facets, faults ?? null), [shown, faults]);
  const folded = conditions.length > CHIPS_SHOWN + 1 ? conditions.slice(CHIPS_SHOWN) : [];
  const open = folded.length > 0 ? conditions.slice(0, CHIPS_SHOWN) : conditions;
  const chip = ({ key, label, text, mono, excluded, without }: (typeof conditions)[number]) => (
    <Chip key={key} label={label} value={text} mono={mono} excluded={excluded} onRemove={() => onFilter(without)} />
  );
  const copyLink = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast({ text: 'Link copied' });
    } catch {
      toast({ tone: 'warn', text: 'The browser did not allow copying; the link is in its address bar.' });
    }
  };
  return (
    <section className="qbar" aria-label="Filter">
      <search className="query">
        <button type="button" className="btn btn-s show-facets" onClick={onShowFacets}>
          <Icon name="filter" />
          Facets
        </button>
        <Icon name="filter" />
        {open.map(chip)}
        {folded.length > 0 && (
          <Popover
            label="More conditions"
            trigger={
              <button type="button" className="btn btn-s">
                +{folded.length}
              </button>
            }
          >
            <div className="chip-stack">{folded.map(chip)}</div>
          </Popover>
        )}
        {unread.map(({ parameter, value, message }) => (
          <Chip key={parameter} label={parameter} value={value} invalid={message} onRemove={() => onFilter(filter)} />
        ))}
        <ConditionInput
          facets={facets}
          now={now}
          empty={conditions.length === 0}
          onApply={(changes) => onFilter(changes.reduce((next, change) => change(next), filter))}
          onRemoveLast={() => {
            const last = conditions.at(-1);
            if (last) onFilter(last.without);
          }}
        />
        {conditions.length + unread.length > 0 && (
          <button type="button" className="btn btn-quiet btn-s" onClick={() => onFilter({})}>
            Clear
          </button>
        )}
      </search>
      <div className="qright">
        {shown ? (
          <>
            <span className="qn dims">
              <b>{countText(shown.answer.total)}</b> <span className="faint">{totalText(shown)}</span>
            </span>
            <span className="cap asof" title="All parts of the page are of this moment, UTC">
              <span className={`live${away ? ' away' : ''}`} />
              as of {clockText(shown.answer.as_of)}
            </span>
          </>
        ) : (
          <i className="skel-bar" style={{ width: 140 }} />
        )}
        <button type="button" className="btn btn-s copy-link" onClick={copyLink}>
          <Icon name="link" />
          Copy link
        </button>
      </div>
    </section>
  );
}

/** `of 12,296 unresolved`; a filter that takes resolved entries as well has no such whole. */
function totalText({ answer, filter }: Shown): string {
  if (statesOf(filter).includes('resolved')) return answer.total === 1 ? 'entry' : 'entries';
  return answer.total === answer.depth ? 'unresolved' : `of ${countText(answer.depth)} unresolved`;
}
