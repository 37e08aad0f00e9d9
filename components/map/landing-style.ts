import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { MAP_FONT } from './basemap-style';
import type { Palette, Theme } from './palette';

const kind = (name: string): ExpressionSpecification => ['==', ['get', 'kind'], name];

/** Layers whose zoom range depends on the tile's own zoom; see `tileBoxZoom`. */
export const TILE_BOX_LAYERS = { small: 'tile_box_small', own: ['tile_box_case', 'tile_box'] } as const;

/** Layers that need room between landing and tile; see `arrowZoom`. The label needs twice as much. */
export const ARROW_LAYERS = { line: ['arrow_case', 'arrow', 'arrow_head'], label: ['arrow_label'] } as const;

/** Where the selected entry landed, its tile and the arrow between, out of the features of `landingFeatures`. `says` follows the distance. */
export function landingLayers(source: string, theme: Theme, palette: Palette, says = ''): LayerSpecification[] {
  const anywhere = { 'icon-allow-overlap': true, 'icon-ignore-placement': true };
  const box = (id: string, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source,
    filter: kind('tile'),
    paint: { 'line-color': color, 'line-width': width },
  });
  return [
    {
      id: 'arrow_case',
      type: 'line',
      source,
      filter: kind('arrow'),
      paint: { 'line-color': palette['map-halo'], 'line-width': 4.5 },
    },
    {
      id: 'arrow',
      type: 'line',
      source,
      filter: kind('arrow'),
      paint: { 'line-color': palette.accent, 'line-width': 1.75, 'line-dasharray': [2.9, 1.7] },
    },
    box(TILE_BOX_LAYERS.own[0], palette.raised, 3.25),
    box(TILE_BOX_LAYERS.own[1], palette.accent, 1.75),
    {
      id: TILE_BOX_LAYERS.small,
      type: 'symbol',
      source,
      filter: kind('tile_centre'),
      layout: { 'icon-image': `${theme}|tile`, ...anywhere },
    },
    {
      id: 'arrow_head',
      type: 'symbol',
      source,
      filter: kind('arrow_head'),
      layout: {
        'icon-image': `${theme}|arrow`,
        'icon-rotate': ['get', 'rotation'],
        'icon-rotation-alignment': 'map',
        'icon-offset': [-7, 0],
        ...anywhere,
      },
    },
    {
      id: 'arrow_label',
      type: 'symbol',
      source,
      filter: kind('arrow'),
      layout: {
        'symbol-placement': 'line-center',
        'text-field': ['concat', ['get', 'label'], says],
        'text-font': [MAP_FONT],
        'text-size': 11,
        'text-offset': [0, -1],
        'icon-image': `${theme}|plate`,
        'icon-text-fit': 'both',
        'icon-text-fit-padding': [0, 3, 0, 3],
        ...anywhere,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
        'text-max-angle': 180,
      },
      paint: { 'text-color': palette.accent, 'text-halo-color': palette['map-halo'], 'text-halo-width': 2 },
    },
    {
      id: 'landing_halo',
      type: 'circle',
      source,
      filter: kind('landing'),
      paint: {
        'circle-radius': 10,
        'circle-color': palette['accent-soft'],
        // The mark inside needs a ground of its own; without one, what lies there shows through.
        // From zoom 14 the outline itself is there and must not be covered.
        'circle-opacity': ['step', ['zoom'], ['case', ['has', 'failure_class'], 0.85, 0.3], 14, 0],
        'circle-stroke-color': palette.accent,
        'circle-stroke-width': 2,
      },
    },
    {
      id: 'landing_mark',
      type: 'symbol',
      source,
      filter: ['all', kind('landing'), ['has', 'failure_class']],
      layout: { 'icon-image': ['concat', `${theme}|mark|`, ['get', 'failure_class'], '|0'], ...anywhere },
    },
  ];
}
