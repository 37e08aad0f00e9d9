import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { CLASS_SYMBOLS, SYMBOL_CLASSES } from '@/components/ui/class-symbol';
import { CELLS_MAX_ZOOM, TILE_LAYERS } from '@/lib/contract/triage';
import { FAILURE_CLASSES } from '@/lib/dead-letter/vocabulary';
import { MAP_FONT } from './basemap-style';
import { CELL_SIDES, SHARE_STEPS } from './cell-image';
import type { Palette, Theme } from './palette';

/** Names of the sources that carry data; the controllers fill all but the first. */
export const ENTRY_SOURCES = {
  entries: 'entries',
  stacks: 'stacks',
  landing: 'landing',
  failed: 'failed_tiles',
} as const;

/** Layers that answer to the pointer. */
export const ENTRY_LAYERS = {
  marks: 'marks',
  stacks: 'stacks',
  outline: 'outlines',
  outline_fill: 'outlines_fill',
} as const;

/** By zoom. */
export const CELL_LAYERS: readonly string[] = Array.from({ length: CELLS_MAX_ZOOM + 1 }, (_, zoom) => `cells_${zoom}`);

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
function cellLayers(theme: Theme): LayerSpecification[] {
  const cells = (id: string, opacity: number | ExpressionSpecification): LayerSpecification => ({
    id,
    type: 'symbol',
    source: ENTRY_SOURCES.entries,
    'source-layer': TILE_LAYERS.cells,
    layout: {
      'icon-image': cellKeyExpression(theme),
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'icon-padding': 0,
      'symbol-sort-key': count('total'),
    },
    paint: { 'icon-opacity': opacity },
  });
  const exact = CELL_LAYERS.map((id, zoom) => ({
    ...cells(id, ['case', isHovered, 0.75, 1]),
    minzoom: zoom,
    maxzoom: zoom + 1,
  }));
  return [cells('cells_stale', 0.2), ...exact];
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
export function entryLayers(theme: Theme, palette: Palette): LayerSpecification[] {
  const source = ENTRY_SOURCES.entries;
  const line = (dashed: boolean): LayerSpecification => ({
    id: dashed ? 'outlines_unknown' : ENTRY_LAYERS.outline,
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
      id: ENTRY_LAYERS.outline_fill,
      type: 'fill',
      source,
      'source-layer': TILE_LAYERS.outlines,
      minzoom: 13,
      filter: isPolygon,
      paint: { 'fill-color': byClass(palette, ''), 'fill-opacity': ['case', isSelected, 0.24, isHovered, 0.2, 0.14] },
    },
    line(false),
    line(true),
    ...cellLayers(theme),
    {
      id: ENTRY_LAYERS.marks,
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
    {
      id: ENTRY_LAYERS.stacks,
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
