import type { LayerSpecification } from 'maplibre-gl';
import type { Palette } from './palette';

export const AREA_SOURCE = 'area';

/** The area of the filter: a solid edge round what is drawn, a dashed one round a box. */
export function areaLayers(palette: Palette): LayerSpecification[] {
  const edge = (id: string, kind: string, dash: number[] | null): LayerSpecification => ({
    id,
    type: 'line',
    source: AREA_SOURCE,
    filter: ['==', ['get', 'kind'], kind],
    paint: {
      'line-color': palette.accent,
      'line-width': 1.75,
      ...(dash ? { 'line-dasharray': dash } : {}),
    },
  });
  return [
    {
      id: 'area_fill',
      type: 'fill',
      source: AREA_SOURCE,
      filter: ['==', ['get', 'kind'], 'polygon'],
      paint: { 'fill-color': palette.accent, 'fill-opacity': 0.06 },
    },
    edge('area_edge', 'polygon', null),
    edge('area_box', 'box', [3, 2]),
  ];
}
