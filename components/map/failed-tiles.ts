import type { ErrorEvent, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { type TileAddress, tileBbox } from '@/lib/crs/web-mercator';
import { boxRing } from './landing';

/** An error event as a tile raises it; the library types only its `error`. */
type TileError = ErrorEvent & { sourceId?: string; tile?: { tileID: { canonical: TileAddress } } };

/**
 * Which tiles could not be loaded, so that a hole in the map never looks like "nothing here". Of several sources: those
 * of one that nobody sees are remembered until it is shown.
 */
export class FailedTiles {
  readonly #tiles: Record<string, Map<string, TileAddress>>;
  readonly #map: MapLibreMap;
  #source: string;
  #told = '';
  readonly #changed: (features: GeoJSON.FeatureCollection, count: number) => void;

  /** @param sources the first is the one that is shown. */
  constructor(
    map: MapLibreMap,
    sources: readonly string[],
    changed: (features: GeoJSON.FeatureCollection, count: number) => void,
  ) {
    this.#map = map;
    this.#tiles = Object.fromEntries(sources.map((source) => [source, new Map()]));
    this.#source = sources[0] ?? '';
    this.#changed = changed;
    map.on('error', (event: TileError) => {
      const failed = this.#tiles[event.sourceId ?? ''];
      if (!failed || !event.tile) return;
      const { z, x, y } = event.tile.tileID.canonical;
      failed.set(`${z}/${x}/${y}`, { z, x, y });
      this.#tell();
    });
    map.on('sourcedata', (event: MapSourceDataEvent) => {
      const tile = event.tile as { state?: string; tileID: { canonical: TileAddress } } | undefined;
      const failed = this.#tiles[event.sourceId];
      if (!failed || tile?.state !== 'loaded') return;
      const { z, x, y } = tile.tileID.canonical;
      if (failed.delete(`${z}/${x}/${y}`)) this.#tell();
    });
  }

  /** Another source is shown: what failed of the former says nothing about it. */
  show(source: string): void {
    this.#tiles[this.#source]?.clear();
    this.#source = source;
    this.#tell();
  }

  /** A source holds other tiles now. */
  forget(source: string): void {
    this.#tiles[source]?.clear();
    this.#tell();
  }

  /** Asks for the failed tiles again. */
  retry(): void {
    const tiles = this.#shown();
    this.forget(this.#source);
    this.#map.refreshTiles(this.#source, tiles);
  }

  #shown(): TileAddress[] {
    return [...(this.#tiles[this.#source]?.values() ?? [])];
  }

  /** The same ones are not told again. */
  #tell(): void {
    const tiles = this.#shown();
    const told = tiles.map(({ z, x, y }) => `${z}/${x}/${y}`).join();
    if (told === this.#told) return;
    this.#told = told;
    const features = tiles.map(
      (tile): GeoJSON.Feature => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [boxRing(tileBbox(tile))] },
      }),
    );
    this.#changed({ type: 'FeatureCollection', features }, features.length);
  }
}
