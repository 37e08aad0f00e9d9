'use client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Chip } from '@/components/ui/chip';
import { Icon } from '@/components/ui/icon';
import { boundText, countText } from '@/components/ui/number-text';
import { Popover } from '@/components/ui/popover';
import { clockText } from '@/components/ui/time-text';
import { useToast } from '@/components/ui/toast';
import { faultsQuery } from '@/lib/api/triage';
import { type Filter, statesOf } from '@/lib/contract/filter';
import { conditionsOf } from './condition.model';
import { CappedNote } from './query/capped-note';
import { QueryEditor } from './query/query-editor';
import { QueryHelp } from './query/query-help';
import { QueryInput } from './query/query-input';
import { queryText } from './query/query-text.model';
import { countedFields } from './query/suggest.model';
import { usePlaceNames } from './query/use-place-names';
import type { UnreadCondition } from './triage-url.model';
import type { Shown } from './use-triage-answer';

const CHIPS_SHOWN = 5;

export function FilterBar({
  filter,
  unread,
  shown,
  away,
  views,
  onFilter,
  onShowFacets,
}: {
  filter: Filter;
  unread: UnreadCondition[];
  shown: Shown | null;
  /** The server does not answer: what is shown is old. */
  away: boolean;
  /** The menu of views. */
  views: ReactNode;
  onFilter: (filter: Filter) => void;
  onShowFacets: () => void;
}) {
  const toast = useToast();
  const now = shown?.answer.as_of ?? null;
  const places = usePlaceNames(filter.place);
  const conditions = useMemo(() => conditionsOf(filter, now ?? 0, places), [filter, now, places]);
  const { data: faults } = useQuery({ ...faultsQuery(shown?.filter ?? {}, now ?? ''), enabled: shown !== null });
  const facets = useMemo(() => shown && countedFields(shown.answer.facets, faults ?? null), [shown, faults]);
  const [asText, setAsText] = useState(false);
  const [editedKey, setEditedKey] = useState<string | null>(null);
  const edited = conditions.find(({ key }) => key === editedKey) ?? null;
  const others = conditions.filter((each) => each !== edited);
  const folded = others.length > CHIPS_SHOWN + 1 ? others.slice(CHIPS_SHOWN) : [];
  const open = folded.length > 0 ? others.slice(0, CHIPS_SHOWN) : others;
  const chip = ({ key, label, text, mono, excluded, without }: (typeof conditions)[number]) => (
    <Chip
      key={key}
      label={label}
      value={text}
      mono={mono}
      excluded={excluded}
      onEdit={() => setEditedKey(key)}
      onRemove={() => onFilter(without)}
    />
  );
  const copy = async (text: string, done: string, instead: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: done });
    } catch {
      toast({ tone: 'warn', text: `The browser did not allow copying; ${instead}.` });
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
        {asText ? (
          <QueryEditor filter={filter} facets={facets} now={now} onFilter={onFilter} onClose={() => setAsText(false)} />
        ) : (
          <>
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
          </>
        )}
        {unread.map(({ parameter, value, message }) => (
          <Chip key={parameter} label={parameter} value={value} invalid={message} onRemove={() => onFilter(filter)} />
        ))}
        {!asText && (
          <QueryInput
            filter={filter}
            facets={facets}
            now={now}
            empty={conditions.length === 0}
            edited={edited}
            onEdit={(what) => setEditedKey(what && (conditions.at(-1)?.key ?? null))}
            onFilter={onFilter}
          />
        )}
        <button
          type="button"
          className="btn btn-s btn-quiet"
          aria-pressed={asText}
          title="The whole filter as one text"
          onClick={() => setAsText(!asText)}
        >
          As text
        </button>
        {asText && (
          <button
            type="button"
            className="btn btn-s btn-icon btn-quiet"
            aria-label="Copy the text"
            onClick={() => copy(queryText(filter), 'Filter copied', 'the text stands in the bar')}
          >
            <Icon name="copy" />
          </button>
        )}
        <QueryHelp />
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
              <b>{boundText(shown.answer.total, shown.answer.capped)}</b>{' '}
              <span className="faint">{totalText(shown)}</span> {shown.answer.capped && <CappedNote />}
            </span>
            <span className="cap asof" title="All parts of the page are of this moment, UTC">
              <span className={`live${away ? ' away' : ''}`} />
              as of {clockText(shown.answer.as_of)}
            </span>
          </>
        ) : (
          <i className="skel-bar" style={{ width: 140 }} />
        )}
        <button
          type="button"
          className="btn btn-s copy-link"
          onClick={() => copy(window.location.href, 'Link copied', 'the link is in its address bar')}
        >
          <Icon name="link" />
          Copy link
        </button>
        {views}
      </div>
    </section>
  );
}

/** `of 12,296 unresolved`; a filter that takes resolved entries as well has no such whole. */
function totalText({ answer, filter }: Shown): string {
  if (statesOf(filter).includes('resolved')) return answer.total === 1 ? 'entry' : 'entries';
  return answer.total === answer.depth ? 'unresolved' : `of ${countText(answer.depth)} unresolved`;
}
