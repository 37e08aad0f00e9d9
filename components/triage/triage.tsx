'use client';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Bbox } from '@/components/map/geodesy';
import { useDisplay } from '@/components/ui/display';
import { onKeysDialogRequest } from '@/components/ui/keys-request';
import { boundText } from '@/components/ui/number-text';
import type { Order } from '@/lib/api/triage';
import type { Filter } from '@/lib/contract/filter';
import type { Action } from '@/lib/contract/operation';
import { BulkBar, type OnAct } from './bulk-bar';
import { toggleValue } from './condition.model';
import { FacetRail } from './facet-rail';
import { FilterBar } from './filter-bar';
import type { GroupKeys } from './group-keys';
import { Histogram } from './histogram';
import { InspectorFrame, type OpenEntry } from './inspector-frame';
import { LazyKeysDialog } from './lazy-keys-dialog';
import { LedgerLine } from './ledger';
import { ListPanel } from './list-panel';
import { MapPanel, type ViewChange } from './map-panel';
import { offerPage, type TriagePage } from './palette/page-context';
import { ProblemNote } from './problem-note';
import { mergeFilter } from './query/merge-filter.model';
import { NO_TICKS, outsideText, type Scope } from './scope.model';
import { MiddleSkeleton, RailSkeleton, TriageColumns } from './triage-body';
import { GROUPS, type Group } from './triage-url.model';
import { useCommands } from './use-commands';
import { useEntries } from './use-entries';
import { useInFilter } from './use-in-filter';
import { useTicks } from './use-ticks';
import { useTriageAnswer } from './use-triage-answer';
import { useTriageUrl } from './use-triage-url';
import { viewOfExtent } from './view-of-extent.model';
import { useViewMemory } from './views/use-view-memory';
import { comparedSearch } from './views/view.model';
import { ViewsMenu } from './views/views-menu';

export type TriageProps = {
  /** The address's search part as the server saw it. */
  search: string;
  /** What stands in the inspector's frame. */
  inspector: (entry: OpenEntry) => ReactNode;
  /** Opens the preview of a bulk action; `onStarted` is called once it was started. */
  onAct: (action: Action, scope: Scope, onStarted: () => void) => void;
};

/** The triage page: every part is drawn from one answer to the address's filter. */
export function Triage({ search, inspector, onAct }: TriageProps) {
  const url = useTriageUrl(search);
  const { filter, filterText, go, entry: openId } = url;
  const { letter_keys } = useDisplay();
  const order = useMemo<Order>(() => ({ sort: url.sort, dir: url.dir, at: url.at }), [url.sort, url.dir, url.at]);
  const [held, setHeld] = useState(false);
  const triage = useTriageAnswer(filter, filterText, order, held);
  const { shown } = triage;
  const entries = useEntries(shown);
  const { items } = entries;
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const { ticks, setTicks, onTick, onTickAll, some } = useTicks(ids);
  if (some !== held) setHeld(some);
  const [cursor, setCursor] = useState<string | null>(null);
  const [view, setView] = useState<Bbox | null>(null);
  const [keysShown, setKeysShown] = useState(false);
  const [facetsOpen, setFacetsOpen] = useState(false);
  useEffect(() => onKeysDialogRequest(() => setKeysShown(true)), []);

  const setFilter = useCallback((next: Filter) => go(() => ({ filter: next })), [go]);
  const open = useCallback(
    (id: string | null, how: 'push' | 'replace' = 'push') => {
      if (id !== null) setCursor(id);
      go(() => ({ entry: id, ...(id === null ? { tab: null, fault: null } : {}) }), how);
    },
    [go],
  );
  const openItem = useCallback((item: { id: string }) => open(item.id), [open]);
  const onViewChange = useCallback(
    ({ center, zoom, bbox }: ViewChange, byHand: boolean) => {
      setView(bbox);
      if (byHand) go(() => ({ map: { center, zoom } }), 'replace');
    },
    [go],
  );
  const off = !triage.error
    ? null
    : `Actions are off until the ${triage.refused ? 'filter is changed' : 'server answers'}`;
  // what was acted on is no longer what one had ticked it for
  const act: OnAct = (action, scope) => onAct(action, scope, () => scope.kind !== 'entry' && setTicks(NO_TICKS));
  const groupKeys: GroupKeys = useRef(null);
  const commands = useCommands({
    groupKeys,
    items,
    letters: letter_keys,
    openId,
    cursorId: cursor,
    ticks,
    setTicks,
    onTick,
    onCursor: setCursor,
    onOpen: open,
    onAct: off || triage.stale ? null : act,
    onRegroup: () => go(({ group }) => ({ group: GROUPS[(GROUPS.indexOf(group) + 1) % GROUPS.length] ?? 'entries' })),
    onShowKeys: () => setKeysShown(true),
  });

  const { run, scope } = commands;
  const page = useRef<TriagePage | null>(null);
  useEffect(() => {
    const setGroup = (group: Group) => go(() => ({ group }));
    page.current = { state: url.state, shown, scope, run, setFilter, setGroup, visit: url.visit };
  });
  useEffect(() => offerPage(() => page.current), []);
  const isAnswered = shown !== null && shown.filterText === filterText;
  useViewMemory(url, isAnswered && filterText !== '' ? comparedSearch(url.state) : null);

  const inFilter = useInFilter(openId, shown, entries);
  const inList = openId === null ? undefined : items.find(({ id }) => id === openId);
  return (
    <div className={`triage${triage.error ? ' has-problem' : ''}${triage.stale ? ' is-stale' : ''}`}>
      <FilterBar
        filter={filter}
        unread={url.unread}
        shown={shown}
        away={triage.error !== null}
        views={<ViewsMenu url={url} now={shown?.answer.as_of ?? null} />}
        onFilter={setFilter}
        onShowFacets={() => setFacetsOpen(true)}
      />
      {triage.error && (
        <ProblemNote
          error={triage.error}
          shownAsOf={shown?.answer.as_of ?? null}
          retryAt={triage.retry_at}
          onRetry={triage.retry}
        />
      )}
      <p className="sr" role="status">
        {shown && !triage.stale && `${boundText(shown.answer.total, shown.answer.capped)} match`}
      </p>
      <TriageColumns
        open={openId !== null}
        facetsOpen={facetsOpen}
        facets={
          shown ? (
            <FacetRail shown={shown} filter={filter} onFilter={setFilter} onClose={() => setFacetsOpen(false)} />
          ) : (
            <RailSkeleton />
          )
        }
        inspector={
          openId !== null && (
            <InspectorFrame id={openId} inFilter={inFilter || triage.stale}>
              {inspector({
                id: openId,
                tab: url.tab,
                fault: url.fault,
                onTab: (tab) => go(() => ({ tab, fault: null })),
                onFault: (fault) => go(() => ({ fault }), 'replace'),
                onPrevious: commands.previous,
                onNext: commands.next,
                onClose: () => open(null),
              })}
            </InspectorFrame>
          )
        }
      >
        {shown ? (
          <>
            <Histogram
              shown={shown}
              filter={filter}
              onPeriod={(period, how) =>
                go(({ filter: { since: _, until: __, ...rest } }) => ({ filter: { ...rest, ...period } }), how)
              }
            />
            <MapPanel
              shown={shown}
              view={url.map}
              openId={openId}
              openItem={inList ?? null}
              onViewChange={onViewChange}
              layer={url.layer}
              onLayer={(layer) => go(() => ({ layer }), 'replace')}
              onOpen={open}
              onFilterToCell={(bbox) => setFilter({ ...filter, bbox })}
              onPolygon={(polygon) => {
                const { polygon: _, ...rest } = filter;
                setFilter(polygon ? { ...rest, polygon } : rest);
              }}
              onPlace={(code) => setFilter(mergeFilter(filter, { place: [code] }))}
            />
            <LedgerLine
              shown={shown}
              view={view}
              onReason={(reason) => setFilter(toggleValue(filter, 'unmappable_reason', reason))}
              onNotMapped={() => setFilter({ ...filter, mappable: false })}
              onShowAll={() => go(() => ({ map: viewOfExtent(shown.answer.extent) }))}
            />
            <ListPanel
              shown={shown}
              entries={entries}
              group={url.group}
              by={url.by}
              groupKeys={groupKeys}
              ticks={ticks}
              openId={openId}
              cursorId={openId ?? cursor}
              arrivals={triage.arrivals}
              onArrivals={triage.takeArrivals}
              onGroup={(group) => go(() => ({ group }))}
              onFilter={setFilter}
              onCell={(cell) => go(() => ({ filter: cell, group: 'entries' }))}
              onSignature={(signature) =>
                go((state) => ({ filter: { ...state.filter, signature: [signature] }, group: 'entries' }))
              }
              onSignatureOrder={(by) => go(() => ({ by }))}
              onExample={open}
              onJump={(at) => go(() => ({ at }))}
              onSort={(sort, dir) => go(() => ({ sort, dir, at: null }))}
              onTick={onTick}
              onTickAll={onTickAll}
              onOpen={openItem}
              onKeyDown={commands.onGridKey}
            />
          </>
        ) : (
          <MiddleSkeleton refused={triage.refused} />
        )}
      </TriageColumns>
      <BulkBar
        shown={shown}
        ticks={ticks}
        outside={outsideText(ticks, ids, entries.complete)}
        openId={openId}
        off={off}
        onTicks={setTicks}
        onAct={act}
      />
      <LazyKeysDialog open={keysShown} onClose={() => setKeysShown(false)} />
    </div>
  );
}
