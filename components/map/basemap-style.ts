import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { MAX_LAT } from '@/lib/crs/web-mercator';
import type { Palette } from './palette';

export const MAP_FONT = 'Map';
export const MAP_FONT_ITALIC = 'Map Italic';

/** How far out MapLibre goes: a world of 128 px. */
export const LOWEST_ZOOM = -2;

/** From this zoom on the Natural Earth lines are coarser than the screen; the map says so. */
export const SPARSE_FROM_ZOOM = 7;

/** No glyph files: MapLibre draws letters out of these fonts, and fetches only those that a label needs. */
export function fontFaces(origin: string): NonNullable<StyleSpecification['font-faces']> {
  const rest = [
    { url: `${origin}/basemap/noto-sans-latin-ext-normal.woff2`, 'unicode-range': ['U+100-2FF', 'U+1E00-1E9F'] },
    { url: `${origin}/basemap/noto-sans-vietnamese-normal.woff2`, 'unicode-range': ['U+300-331', 'U+1EA0-1EFF'] },
  ];
  const latin = ['U+0-FF', 'U+2000-206F'];
  return {
    [MAP_FONT]: [{ url: `${origin}/fonts/inter-latin.woff2`, 'unicode-range': latin }, ...rest],
    [MAP_FONT_ITALIC]: [{ url: `${origin}/basemap/noto-sans-latin-italic.woff2`, 'unicode-range': latin }, ...rest],
  };
}

/** Meridians and parallels, every 5° below zoom 6 and every 1° from there. */
function graticule(step: number): GeoJSON.Feature {
  const lines: number[][][] = [];
  for (let lon = -180; lon < 180; lon += step)
    lines.push([
      [lon, -MAX_LAT],
      [lon, MAX_LAT],
    ]);
  for (let lat = -85; lat <= 85; lat += step)
    lines.push([
      [-180, lat],
      [180, lat],
    ]);
  return { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: lines } };
}

export function basemapSources(origin: string): Record<string, SourceSpecification> {
  const file = (name: string): SourceSpecification => ({
    type: 'geojson',
    data: `${origin}/basemap/${name}.json`,
    tolerance: 0.3,
  });
  return {
    land: file('land'),
    lakes: file('lakes'),
    borders: file('borders'),
    regions: file('regions'),
    labels: file('labels'),
    cities: file('cities'),
    graticule_5: { type: 'geojson', data: graticule(5) },
    graticule_1: { type: 'geojson', data: graticule(1) },
  };
}

/** Background, land, water and lines: everything that lies under the data. */
export function basemapGround(palette: Palette): LayerSpecification[] {
  const grid = { 'line-color': palette['map-grid'], 'line-width': 1 };
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette['map-water'] } },
    { id: 'graticule_5', type: 'line', source: 'graticule_5', minzoom: 2, maxzoom: 6, paint: grid },
    { id: 'graticule_1', type: 'line', source: 'graticule_1', minzoom: 6, paint: grid },
    {
      id: 'land',
      type: 'fill',
      source: 'land',
      paint: { 'fill-color': palette['map-land'], 'fill-outline-color': palette['map-coast'] },
    },
    {
      id: 'lakes',
      type: 'fill',
      source: 'lakes',
      paint: { 'fill-color': palette['map-water'], 'fill-outline-color': palette['map-coast'] },
    },
    {
      id: 'regions',
      type: 'line',
      source: 'regions',
      minzoom: 3,
      paint: { 'line-color': palette['map-border'], 'line-width': 0.75 },
    },
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      paint: {
        'line-color': palette['map-border'],
        'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 5, 1.25],
      },
    },
    {
      id: 'graticule_sparse',
      type: 'line',
      source: 'graticule_1',
      minzoom: SPARSE_FROM_ZOOM,
      paint: { 'line-color': palette['map-border'], 'line-width': 0.75, 'line-opacity': 0.5 },
    },
  ];
}

/** Place names: above the cells, under the selection. */
export function basemapLabels(palette: Palette): LayerSpecification[] {
  const kind = (name: string): ExpressionSpecification => [
    'all',
    ['==', ['get', 'kind'], name],
    ['<=', ['get', 'from'], ['zoom']],
  ];
  const paint = {
    'text-color': palette['map-label'],
    'text-halo-color': palette['map-halo'],
    'text-halo-width': 1.5,
  };
  const names = (id: string, filter: ExpressionSpecification, zooms: { minzoom?: number; maxzoom?: number }) =>
    ({
      id,
      type: 'symbol',
      source: 'labels',
      ...zooms,
      filter,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [id === 'waters' ? MAP_FONT_ITALIC : MAP_FONT],
        'text-size': 11,
        'text-max-width': 8,
        'text-padding': 4,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint,
    }) satisfies LayerSpecification;
  return [
    {
      id: 'cities',
      type: 'symbol',
      source: 'cities',
      minzoom: 4,
      filter: ['<=', ['get', 'from'], ['zoom']],
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [MAP_FONT],
        'text-size': 10,
        'text-padding': 6,
        'text-optional': true,
      },
      paint: { ...paint, 'text-opacity': 0.85 },
    },
    names('waters', kind('water'), {}),
    names('region_names', kind('region'), { minzoom: 3, maxzoom: 8 }),
    names('country_names', kind('country'), { minzoom: 1, maxzoom: 6.5 }),
  ];
}
