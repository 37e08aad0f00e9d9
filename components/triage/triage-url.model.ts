import { z } from 'zod';
import { type Filter, FilterError, filterFromSearch, filterToSearch } from '@/lib/contract/filter';
import { isTimeSort, SORTS, type Sort } from '@/lib/contract/triage';

export const GROUPS = ['entries', 'signatures', 'time'] as const;
/** The entries one by one, by signature, or the number of them by class and time. */
export type Group = (typeof GROUPS)[number];
export const SIGNATURE_ORDERS = ['count', 'newest', 'trend'] as const;
export type SignatureOrder = (typeof SIGNATURE_ORDERS)[number];
export const MAP_LAYERS = ['displacement'] as const;
/** A layer of the map that is off at first. */
export type MapLayer = (typeof MAP_LAYERS)[number];
export type MapPosition = { center: [number, number]; zoom: number };

/** Everything of the triage page that its address holds. */
export type TriageState = {
  filter: Filter;
  sort: Sort;
  dir: 'asc' | 'desc';
  /** The moment that a list in an order by time is entered at, ISO 8601; null is its beginning. */
  at: string | null;
  group: Group;
  by: SignatureOrder;
  /** Id of the saved view that was opened; the conditions may have changed since. */
  view: string | null;
  /** Null until the map was moved: then the first answer's extent is shown. */
  map: MapPosition | null;
  layer: MapLayer | null;
  /** Id of the open entry. */
  entry: string | null;
  tab: string | null;
  fault: string | null;
};
/** A parameter of the address that could not be read; the rest of the filter is used without it. */
export type UnreadCondition = { parameter: string; value: string; message: string };

/** `fault` is a condition of the filter: the fault that the inspector shows is its number. */
const PAGE_PARAMETERS = [
  'sort',
  'dir',
  'at',
  'group',
  'by',
  'view',
  'map',
  'layer',
  'entry',
  'tab',
  'fault_no',
] as const;
export const START: TriageState = {
  filter: {},
  sort: 'failed_at',
  dir: 'desc',
  at: null,
  group: 'entries',
  by: 'count',
  view: null,
  map: null,
  layer: null,
  entry: null,
  tab: null,
  fault: null,
};

/** Reads the page's address. Total: what cannot be read is left out and named in `unread`. */
export function readTriageUrl(text: string): { state: TriageState; unread: UnreadCondition[] } {
  const search = new URLSearchParams(text);
  const page = Object.fromEntries(PAGE_PARAMETERS.map((name) => [name, search.get(name)]));
  for (const name of PAGE_PARAMETERS) search.delete(name);
  const { filter, unread } = readFilter(search);
  const sort = SORTS.find((each) => each === page.sort) ?? START.sort;
  return {
    state: {
      filter,
      sort,
      dir: page.dir === 'asc' ? 'asc' : 'desc',
      at: isTimeSort(sort) ? readMoment(page.at ?? null) : null,
      group: GROUPS.find((group) => group === page.group) ?? START.group,
      by: SIGNATURE_ORDERS.find((by) => by === page.by) ?? START.by,
      view: /^\d{1,18}$/.test(page.view ?? '') ? (page.view ?? null) : null,
      map: readMap(page.map ?? null),
      layer: MAP_LAYERS.find((layer) => layer === page.layer) ?? null,
      entry: /^\d{1,19}$/.test(page.entry ?? '') ? (page.entry ?? null) : null,
      tab: page.tab || null,
      fault: page.fault_no || null,
    },
    unread,
  };
}

function readFilter(search: URLSearchParams): { filter: Filter; unread: UnreadCondition[] } {
  const unread: UnreadCondition[] = [];
  for (;;) {
    try {
      return { filter: filterFromSearch(search), unread };
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      // an unknown parameter is named with others of its kind: each is taken out
      const names = error.parameter.split(', ').filter((name) => search.has(name));
      if (names.length === 0) return { filter: {}, unread };
      for (const parameter of names) {
        unread.push({ parameter, value: search.getAll(parameter).join(', '), message: error.message });
        search.delete(parameter);
      }
    }
  }
}

function readMoment(text: string | null): string | null {
  return text !== null && z.iso.datetime({ offset: true }).safeParse(text).success ? text : null;
}

/** `zoom/lat/lon`, the order of other maps' addresses. */
function readMap(text: string | null): MapPosition | null {
  const [zoom, lat, lon, ...rest] = (text ?? '').split('/').map((part) => (part === '' ? Number.NaN : Number(part)));
  if (zoom === undefined || lat === undefined || lon === undefined || rest.length > 0) return null;
  if (!(zoom >= -2 && zoom <= 24 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
  return { zoom, center: [lon, lat] };
}

/** The search part of the address, with its `?`, or '' for the page as it starts. Equal states make equal addresses. */
export function writeTriageUrl(state: TriageState): string {
  const search = filterToSearch(state.filter);
  if (state.sort !== START.sort) search.set('sort', state.sort);
  if (state.dir !== START.dir) search.set('dir', state.dir);
  if (state.at !== null && isTimeSort(state.sort)) search.set('at', state.at);
  if (state.group !== START.group) search.set('group', state.group);
  if (state.by !== START.by) search.set('by', state.by);
  if (state.view) search.set('view', state.view);
  if (state.map) {
    const [lon, lat] = state.map.center;
    // five decimals are a metre; more would only lengthen the link
    search.set('map', `${+state.map.zoom.toFixed(2)}/${+lat.toFixed(5)}/${+lon.toFixed(5)}`);
  }
  if (state.layer) search.set('layer', state.layer);
  if (state.entry) search.set('entry', state.entry);
  if (state.entry && state.tab) search.set('tab', state.tab);
  if (state.entry && state.fault) search.set('fault_no', state.fault);
  const text = search.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
