import type { StyleSpecification } from 'maplibre-gl';
import { basemapGround, basemapLabels, basemapSources, fontFaces } from './basemap-style';
import { DISPLACEMENT_SOURCE, displacementLayers } from './displacement-style';
import { AREA_SOURCE, areaLayers } from './draw-style';
import { ENTRY_SOURCES, failedTileLayers, stackLayers, type TileSource, tileLayers, tileSource } from './entry-style';
import { EVIDENCE_SOURCES, evidenceLayers } from './evidence-style';
import { landingLayers } from './landing-style';
import { PALETTES, type Theme } from './palette';

const EMPTY: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };

/** What the controllers put into GeoJSON sources, by source; part of the style, so that a change of theme keeps it. */
export type SourceData = Record<string, GeoJSON.FeatureCollection>;

/** A filter's tiles, as search parameters without `?`, and the source that holds them. */
export type FilterSource = { source: TileSource; query: string };
/** What is drawn, and what is being loaded to take its place. */
export type TilesInStyle = { drawn: FilterSource; loading: FilterSource | null };

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

/**
 * The triage map. Order: basemap, outlines and cells, labels, failed tiles, displacement, arrow, tile, selection. What is
 * loading lies under the ground, which hides it: a layer that is not drawn at all would ask for no tiles.
 */
export function triageStyle(
  theme: Theme,
  origin: string,
  { drawn, loading }: TilesInStyle,
  data: SourceData = {},
): StyleSpecification {
  const palette = PALETTES[theme];
  const base = ground(theme, origin);
  return {
    ...base,
    sources: {
      ...base.sources,
      [drawn.source]: tileSource(origin, drawn.query),
      ...(loading ? { [loading.source]: tileSource(origin, loading.query) } : {}),
      ...sourcesOf(
        [ENTRY_SOURCES.stacks, AREA_SOURCE, DISPLACEMENT_SOURCE, ENTRY_SOURCES.landing, ENTRY_SOURCES.failed],
        data,
      ),
    },
    layers: [
      ...(loading ? tileLayers(loading.source, theme, palette) : []),
      ...base.layers,
      ...tileLayers(drawn.source, theme, palette),
      ...stackLayers(palette),
      ...basemapLabels(palette),
      ...failedTileLayers(theme),
      ...areaLayers(palette),
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
