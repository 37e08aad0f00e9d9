'use client';
import { useState } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { CLASS_SYMBOLS, symbolClass } from '@/components/ui/class-symbol';
import { Icon } from '@/components/ui/icon';
import { countText, narrowCountText } from '@/components/ui/number-text';
import { type Filter, NO_VALUE, type SetField } from '@/lib/contract/filter';
import { MONO_FIELDS, type Tick, tickOf, toggleExclusion, toggleValue, valueText } from './condition.model';
import type { FacetRow } from './facet.model';

const SEARCH_FROM = 12;

export type FacetProps = {
  field: SetField;
  title: string;
  rows: FacetRow[];
  /** Values there are, of which `rows` are the most frequent. */
  distinct: number;
  /** Rows shown before “n more”. */
  short: number;
  filter: Filter;
  onFilter: (filter: Filter) => void;
};

export function Facet({ field, title, rows, distinct, short, filter, onFilter }: FacetProps) {
  const [open, setOpen] = useState(true);
  const [all, setAll] = useState(false);
  const [wanted, setWanted] = useState('');
  const found = rows.filter(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));
  const shown = all ? found : found.filter((row, i) => i < short || tickOf(filter, field, row.value) !== 'none');
  const hidden = rows.length - shown.length;
  const id = `facet-${field}`;
  return (
    <section className="facet" aria-labelledby={id}>
      <h2 id={id}>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} small />
          {title}
        </button>
        {distinct > short && <span className="cap">{countText(distinct)}</span>}
      </h2>
      {open && all && rows.length >= SEARCH_FROM && (
        <input
          className="input fsearch"
          type="search"
          aria-label={`Search ${title}`}
          placeholder={`Search ${countText(rows.length)} values`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      {open && (
        <ul>
          {shown.map((row) => (
            <li key={row.value}>
              <Row
                field={field}
                row={row}
                tick={tickOf(filter, field, row.value)}
                onTick={(exclude) => onFilter((exclude ? toggleExclusion : toggleValue)(filter, field, row.value))}
              />
            </li>
          ))}
          {(hidden > 0 || all) && rows.length > short && (
            <li>
              <button
                type="button"
                className="fmore"
                onClick={() => {
                  setAll(!all);
                  setWanted('');
                }}
              >
                {all ? 'Fewer' : `${hidden} more`}
              </button>
            </li>
          )}
          {all && distinct > rows.length && (
            <li className="cap fmore-note">
              The {rows.length} most frequent of {countText(distinct)}; others can be typed above.
            </li>
          )}
          {rows.length === 0 && <li className="cap fmore-note">No value</li>}
        </ul>
      )}
    </section>
  );
}

const CHECKED: Record<Tick, 'true' | 'false' | 'mixed'> = { included: 'true', excluded: 'mixed', none: 'false' };

/** A click adds the value; a second click, or Alt, excludes it; a click on an excluded one lets go of it. */
function Row({
  field,
  row,
  tick,
  onTick,
}: {
  field: SetField;
  row: FacetRow;
  tick: Tick;
  onTick: (exclude: boolean) => void;
}) {
  const isClass = field === 'failure_class';
  const mono = MONO_FIELDS.includes(field) && row.value !== NO_VALUE;
  const title = row.value === NO_VALUE ? 'no value' : row.title;
  const count = `${row.at_least ? 'at least ' : ''}${countText(row.count)}`;
  return (
    <button
      type="button"
      className={`frow${row.count === 0 ? ' zero' : ''}`}
      aria-pressed={CHECKED[tick]}
      aria-label={`${valueText(field, row.value)}${tick === 'excluded' ? ', excluded' : ''}, ${count}`}
      title={`${title}: ${count}. Alt-click excludes.`}
      style={{
        '--p': `${row.share}%`,
        ...(isClass && tick === 'none' ? { '--bar': `var(--c-${CLASS_SYMBOLS[symbolClass(row.value)].token})` } : {}),
      }}
      onClick={(event) => onTick(event.altKey || tick !== 'none')}
    >
      {isClass && tick === 'none' ? (
        <ClassMark failure_class={row.value} />
      ) : (
        <span className="tick">
          {tick === 'included' && <Icon name="check" />}
          {tick === 'excluded' && <Icon name="ban" />}
        </span>
      )}
      <span className={`trunc${mono ? ' mono' : ''}`}>{row.text}</span>
      <span className="num">
        {narrowCountText(row.count)}
        {row.at_least && '+'}
      </span>
    </button>
  );
}
