import type { ExpressionSpecification, LayerSpecification, VectorSourceSpecification } from 'maplibre-gl';
import { CLASS_SYMBOLS, SYMBOL_CLASSES } from '@/components/ui/class-symbol';
import { CELLS_MAX_ZOOM, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { LOWEST_ZOOM, MAP_FONT } from './basemap-style';
import { CELL_SIDES, SHARE_STEPS } from './cell-image';
import type { Palette, Theme } from './palette';

/** Sources of tiles. They take turns: one is drawn, the other holds the next filter's tiles until all are there. */
export const TILE_SOURCES = ['entries_a', 'entries_b'] as const;
export type TileSource = (typeof TILE_SOURCES)[number];

/** Names of the other sources that carry data; the controllers fill them. */
export const ENTRY_SOURCES = {
  stacks: 'stacks',
  landing: 'landing',
  failed: 'failed_tiles',
} as const;

/** The lowest of the layers that lie over the tiles' own. */
export const STACKS_LAYER = 'stacks';

/** Layers of a source that answer to the pointer. */
export const tileLayerIds = (source: TileSource) => ({
  marks: `${source}_marks`,
  outline: `${source}_outlines`,
  outline_fill: `${source}_outlines_fill`,
  /** By zoom. */
  cells: Array.from({ length: CELLS_MAX_ZOOM + 1 }, (_, zoom) => `${source}_cells_${zoom}`),
});

/** `query` is the filter as search parameters without `?`; `origin` is the page's, for the worker has its own base. */
export function tilesUrl(origin: string, query: string): string {
  return `${origin}/api/tiles/{z}/{x}/{y}${query ? `?${query}` : ''}`;
}

export function tileSource(origin: string, query: string): VectorSourceSpecification {
  return { type: 'vector', tiles: [tilesUrl(origin, query)], minzoom: 0, maxzoom: 16, promoteId: { cells: 'cell' } };
}

const count = (name: string): ExpressionSpecification => ['to-number', ['get', name], 0];
const reopened: ExpressionSpecification = ['case', ['>', count('reopened'), 0], '1', '0'];

/** Makes the key that `parseCellKey` reads, with the theme before it. */
function cellKeyExpression(theme: Theme): ExpressionSpecification {
  const shares = SYMBOL_CLASSES.flatMap((name, i): (string | ExpressionSpecification)[] => [
    i === 0 ? '' : '.',
    ['to-string', ['ceil', ['*', SHARE_STEPS, ['/', count(name), ['max', 1, count('total')]]]]],
  ]);
  const [first, ...steps] = CELL_SIDES;
  const side = [
    'step',
    count('total'),
    String(first!.side),
    ...steps.flatMap((step) => [step.from, String(step.side)]),
  ] as unknown as ExpressionSpecification;
  return ['concat', `${theme}|cell|`, side, '|', ...shares, '|', reopened];
}

/**
 * One layer a zoom, so that a tile's cells are drawn at its own zoom only. While a tile is missing its parent stands in;
 * symbols are not clipped to their tile, so the parent's cells would lie over loaded neighbours too: those come from
 * `cells_stale`, faint and under the others, and never answer to the pointer.
 */
function cellLayers(source: TileSource, theme: Theme): LayerSpecification[] {
  const cells = (id: string, opacity: number | ExpressionSpecification): LayerSpecification => ({
    id,
    type: 'symbol',
    source,
    'source-layer': TILE_LAYERS.cells,
    layout: {
      'icon-image': cellKeyExpression(theme),
      // further out than zoom 0 the cells come nearer to each other than their pictures are wide
      'icon-size': ['interpolate', ['exponential', 2], ['zoom'], LOWEST_ZOOM, 2 ** LOWEST_ZOOM, 0, 1],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-padding': 0,
      'symbol-sort-key': count('total'),
    },
    paint: { 'icon-opacity': opacity },
  });
  const exact = tileLayerIds(source).cells.map((id, zoom) => ({
    ...cells(id, ['case', isHovered, 0.75, 1]),
    minzoom: zoom,
    maxzoom: zoom + 1,
  }));
  return [cells(`${source}_cells_stale`, 0.2), ...exact];
}

/** One of the palette's values by the feature's `failure_class`. */
function byClass(palette: Palette, suffix: '' | '-edge'): ExpressionSpecification {
  const pairs = FAILURE_CLASSES.flatMap((name) => [name, palette[`c-${CLASS_SYMBOLS[name].token}${suffix}`]]);
  // The typed form of `match` needs a fixed length, which a list made from the vocabulary has not.
  return [
    'match',
    ['get', 'failure_class'],
    ...pairs,
    palette[`c-other${suffix}`],
  ] as unknown as ExpressionSpecification;
}

const isUnknown: ExpressionSpecification = ['==', ['get', 'failure_class'], 'unknown'];
const isPolygon: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false];
const isHovered: ExpressionSpecification = ['boolean', ['feature-state', 'hover'], false];

/**
 * Cells below zoom 12, marks from 12, outlines from 13; from 15 the outlines lead and the marks shrink to a place
 * marker, which stays because an entry too small or too many to outline must not vanish.
 */
export function tileLayers(source: TileSource, theme: Theme, palette: Palette): LayerSpecification[] {
  const ids = tileLayerIds(source);
  const line = (dashed: boolean): LayerSpecification => ({
    id: dashed ? `${source}_outlines_unknown` : ids.outline,
    type: 'line',
    source,
    'source-layer': TILE_LAYERS.outlines,
    minzoom: 13,
    filter: dashed ? isUnknown : ['!', isUnknown],
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': byClass(palette, '-edge'),
      'line-width': ['case', isSelected, 3, isHovered, 2.5, 1.75],
      'line-opacity': ['interpolate', ['linear'], ['zoom'], 13, 0.6, 15, 1],
      ...(dashed ? { 'line-dasharray': [3, 1.8] } : {}),
    },
  });
  return [
    {
      id: ids.outline_fill,
      type: 'fill',
      source,
      'source-layer': TILE_LAYERS.outlines,
      minzoom: 13,
      filter: isPolygon,
      paint: { 'fill-color': byClass(palette, ''), 'fill-opacity': ['case', isSelected, 0.24, isHovered, 0.2, 0.14] },
    },
    line(false),
    line(true),
    ...cellLayers(source, theme),
    {
      id: ids.marks,
      type: 'symbol',
      source,
      'source-layer': TILE_LAYERS.points,
      layout: {
        'icon-image': ['concat', `${theme}|mark|`, ['get', 'failure_class'], '|', reopened],
        'icon-size': ['step', ['zoom'], 1, 15, 0.7],
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
        'icon-padding': 0,
      },
      paint: { 'icon-opacity': ['case', ['boolean', ['feature-state', 'stacked'], false], 0, 1] },
    },
  ];
}

/** Marks that lie on one another, as a ring with their count. */
export function stackLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: STACKS_LAYER,
      type: 'circle',
      source: ENTRY_SOURCES.stacks,
      minzoom: 12,
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['get', 'count'], 2, 9, 99, 11, 999, 14],
        'circle-color': palette.raised,
        'circle-stroke-color': byClass(palette, '-edge'),
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'stack_counts',
      type: 'symbol',
      source: ENTRY_SOURCES.stacks,
      minzoom: 12,
      layout: {
        'text-field': ['to-string', ['get', 'count']],
        'text-font': [MAP_FONT],
        'text-size': 11,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': palette.ink },
    },
    {
      id: 'stacks_reopened',
      type: 'circle',
      source: ENTRY_SOURCES.stacks,
      minzoom: 12,
      filter: ['>', ['get', 'reopened'], 0],
      paint: {
        'circle-radius': 2.6,
        'circle-translate': [8, -8],
        'circle-color': palette.raised,
        'circle-stroke-color': palette.bad,
        'circle-stroke-width': 1.75,
      },
    },
  ];
}

/** Tiles that did not load: hatched, so that empty and unknown differ. */
export function failedTileLayers(theme: Theme): LayerSpecification[] {
  return [
    {
      id: 'failed_tiles',
      type: 'fill',
      source: ENTRY_SOURCES.failed,
      paint: { 'fill-pattern': `${theme}|hatch` },
    },
  ];
}
