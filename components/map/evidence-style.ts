import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { CLASS_SYMBOLS, SYMBOL_CLASSES } from '@/components/ui/class-symbol';
import { MAP_FONT } from './basemap-style';
import { LEADERS } from './candidate-image';
import { landingLayers } from './landing-style';
import type { Palette, Theme } from './palette';

export const EVIDENCE_SOURCES = {
  shape: 'shape',
  landing: 'landing',
  faults: 'faults',
  area: 'area_of_use',
  ghost: 'ghost',
  candidates: 'candidates',
  cursor: 'cursor',
} as const;

const kind = (name: string): ExpressionSpecification => ['==', ['get', 'kind'], name];
const current: ExpressionSpecification = ['boolean', ['get', 'current'], false];
const fails: ExpressionSpecification = ['==', ['get', 'severity'], 'fails'];

const leads: ExpressionSpecification = ['boolean', ['get', 'leads'], false];
/** Of the letter, in ems of its 10 px. */
const leaderOffset = [
  'match',
  ['get', 'direction'],
  ...LEADERS.flatMap(([dx, dy], i) => [i, ['literal', [dx / 10, dy / 10]]]),
  ['literal', [0, 0]],
] as unknown as ExpressionSpecification;

function byClass(palette: Palette, suffix: '' | '-edge'): ExpressionSpecification {
  const pairs = SYMBOL_CLASSES.slice(0, -1).flatMap((name) => [
    name,
    palette[`c-${CLASS_SYMBOLS[name].token}${suffix}`],
  ]);
  return [
    'match',
    ['get', 'failure_class'],
    ...pairs,
    palette[`c-other${suffix}`],
  ] as unknown as ExpressionSpecification;
}

/**
 * One entry: area of use dotted, the shape filled AND its rings as lines (MapLibre drops rings without area, so a
 * symmetric bow-tie has no fill and no outline of its own), candidates, arrow and tile, faults on top.
 */
export function evidenceLayers(theme: Theme, palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'area_of_use_fill',
      type: 'fill',
      source: EVIDENCE_SOURCES.area,
      paint: { 'fill-color': palette.ink, 'fill-opacity': 0.05 },
    },
    {
      id: 'area_of_use',
      type: 'line',
      source: EVIDENCE_SOURCES.area,
      paint: { 'line-color': palette['ink-2'], 'line-width': 1, 'line-dasharray': [2, 2] },
    },
    {
      id: 'shape_fill',
      type: 'fill',
      source: EVIDENCE_SOURCES.shape,
      filter: kind('fill'),
      paint: { 'fill-color': byClass(palette, ''), 'fill-opacity': 0.14, 'fill-antialias': false },
    },
    {
      id: 'shape_line',
      type: 'line',
      source: EVIDENCE_SOURCES.shape,
      filter: kind('line'),
      layout: { 'line-join': 'round', 'line-cap': 'round' },
      paint: { 'line-color': byClass(palette, '-edge'), 'line-width': 1.75 },
    },
    {
      id: 'shape_point',
      type: 'symbol',
      source: EVIDENCE_SOURCES.shape,
      filter: kind('point'),
      layout: {
        'icon-image': ['concat', `${theme}|mark|`, ['get', 'failure_class'], '|0'],
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
    },
    {
      id: 'ghost_fill',
      type: 'fill',
      source: EVIDENCE_SOURCES.ghost,
      filter: ['all', kind('fill'), leads],
      paint: { 'fill-color': palette.ghost, 'fill-opacity': 0.16, 'fill-antialias': false },
    },
    {
      id: 'ghost_line',
      type: 'line',
      source: EVIDENCE_SOURCES.ghost,
      filter: kind('line'),
      layout: { 'line-join': 'round' },
      paint: { 'line-color': palette.ghost, 'line-width': 1.75, 'line-dasharray': [2.4, 1.5] },
    },
    {
      id: 'ghost_point',
      type: 'circle',
      source: EVIDENCE_SOURCES.ghost,
      filter: kind('point'),
      paint: {
        'circle-radius': 4,
        'circle-color': palette.surface,
        'circle-stroke-color': palette.ghost,
        'circle-stroke-width': 1.75,
      },
    },
    ...landingLayers(EVIDENCE_SOURCES.landing, theme, palette),
    {
      id: 'candidates',
      type: 'symbol',
      source: EVIDENCE_SOURCES.candidates,
      layout: {
        'icon-image': ['concat', `${theme}|candidate|`, ['case', leads, '1', '0'], '|', ['get', 'direction']],
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
        'text-field': ['get', 'letter'],
        'text-font': [MAP_FONT],
        'text-size': 10,
        'text-offset': leaderOffset,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
      paint: { 'text-color': ['case', leads, palette['on-ghost'], palette.ghost] },
    },
    {
      id: 'cursor',
      type: 'circle',
      source: EVIDENCE_SOURCES.cursor,
      paint: {
        'circle-radius': ['match', ['get', 'kind'], 'focus', 6, 4.5],
        'circle-color': 'transparent',
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': ['match', ['get', 'kind'], 'focus', 2, 1.5],
      },
    },
    {
      id: 'faults',
      type: 'circle',
      source: EVIDENCE_SOURCES.faults,
      layout: { 'circle-sort-key': ['case', current, 1, 0] },
      paint: {
        'circle-radius': 7.5,
        'circle-color': ['case', fails, palette.fault, palette.pane],
        'circle-stroke-color': ['case', current, palette.ink, fails, palette.pane, palette.fault],
        'circle-stroke-width': ['case', current, 2, 1.5],
      },
    },
    {
      id: 'fault_numbers',
      type: 'symbol',
      source: EVIDENCE_SOURCES.faults,
      layout: {
        'text-field': ['to-string', ['get', 'number']],
        'text-font': [MAP_FONT],
        'text-size': 10,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
        'symbol-sort-key': ['case', current, 1, 0],
      },
      paint: { 'text-color': ['case', fails, palette['on-fault'], palette.fault] },
    },
  ];
}
