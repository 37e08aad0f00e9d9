import type { StyleSpecification } from 'maplibre-gl';
import { basemapGround, basemapLabels, basemapSources, fontFaces } from './basemap-style';
import { DISPLACEMENT_SOURCE, displacementLayers } from './displacement-style';
import { ENTRY_SOURCES, entryLayers, failedTileLayers } from './entry-style';
import { EVIDENCE_SOURCES, evidenceLayers } from './evidence-style';
import { landingLayers } from './landing-style';
import { PALETTES, type Theme } from './palette';

const EMPTY: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };

/** What the controllers put into GeoJSON sources, by source; part of the style, so that a change of theme keeps it. */
export type SourceData = Record<string, GeoJSON.FeatureCollection>;

/** `query` is the filter as search parameters without `?`; `origin` is the page's, for the worker has its own base. */
export function tilesUrl(origin: string, query: string): string {
  return `${origin}/api/tiles/{z}/{x}/{y}${query ? `?${query}` : ''}`;
}

function ground(theme: Theme, origin: string): StyleSpecification {
  return {
    version: 8,
    projection: { type: 'mercator' },
    // Symbols appear and go at once: nothing on the map moves by itself.
    transition: { duration: 0, delay: 0 },
    'font-faces': fontFaces(origin),
    sources: basemapSources(origin),
    layers: basemapGround(PALETTES[theme]),
  };
}

const sourcesOf = (names: readonly string[], data: SourceData, options: { tolerance?: number } = {}) =>
  Object.fromEntries(names.map((name) => [name, { type: 'geojson' as const, data: data[name] ?? EMPTY, ...options }]));

/** The triage map. Order: basemap, outlines and cells, labels, failed tiles, displacement, arrow, tile, selection. */
export function triageStyle(theme: Theme, origin: string, query: string, data: SourceData = {}): StyleSpecification {
  const palette = PALETTES[theme];
  const base = ground(theme, origin);
  return {
    ...base,
    sources: {
      ...base.sources,
      [ENTRY_SOURCES.entries]: {
        type: 'vector',
        tiles: [tilesUrl(origin, query)],
        minzoom: 0,
        maxzoom: 16,
        promoteId: { cells: 'cell' },
      },
      ...sourcesOf([ENTRY_SOURCES.stacks, DISPLACEMENT_SOURCE, ENTRY_SOURCES.landing, ENTRY_SOURCES.failed], data),
    },
    layers: [
      ...base.layers,
      ...entryLayers(theme, palette),
      ...basemapLabels(palette),
      ...failedTileLayers(theme),
      ...displacementLayers(theme, palette),
      ...landingLayers(ENTRY_SOURCES.landing, theme, palette, ' to its tile'),
    ],
  };
}

/** The inspector's map of one entry. Sub-metre shapes must keep their vertices, so nothing is simplified. */
export function evidenceStyle(theme: Theme, origin: string, data: SourceData = {}): StyleSpecification {
  const palette = PALETTES[theme];
  const base = ground(theme, origin);
  return {
    ...base,
    sources: { ...base.sources, ...sourcesOf(Object.values(EVIDENCE_SOURCES), data, { tolerance: 0 }) },
    layers: [...base.layers, ...basemapLabels(palette), ...evidenceLayers(theme, palette)],
  };
}
