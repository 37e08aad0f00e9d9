import type { LayerSpecification } from 'maplibre-gl';
import { landingLayers } from './landing-style';
import type { Palette, Theme } from './palette';

export const DISPLACEMENT_SOURCE = 'displacement';

const ARROW = ['arrow_case', 'arrow', 'arrow_head', 'arrow_label'];

/** The groups' arrows as the open entry's own is drawn, with a dot where they start. */
export function displacementLayers(theme: Theme, palette: Palette): LayerSpecification[] {
  const arrows = landingLayers(DISPLACEMENT_SOURCE, theme, palette)
    .filter(({ id }) => ARROW.includes(id))
    .map((layer): LayerSpecification => ({ ...layer, id: `${DISPLACEMENT_SOURCE}_${layer.id}` }));
  const start: LayerSpecification = {
    id: `${DISPLACEMENT_SOURCE}_start`,
    type: 'circle',
    source: DISPLACEMENT_SOURCE,
    filter: ['==', ['get', 'kind'], 'landing'],
    paint: {
      'circle-radius': 4,
      'circle-color': palette.raised,
      'circle-stroke-color': palette.accent,
      'circle-stroke-width': 2,
    },
  };
  return [...arrows, start];
}
