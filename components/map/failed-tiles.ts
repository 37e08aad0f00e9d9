import type { ErrorEvent, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { type TileAddress, tileBbox } from '@/lib/crs/web-mercator';
import { boxRing } from './landing';

/** An error event as a tile raises it; the library types only its `error`. */
type TileError = ErrorEvent & { sourceId?: string; tile?: { tileID: { canonical: TileAddress } } };

/** Which tiles of one source could not be loaded, so that a hole in the map never looks like "nothing here". */
export class FailedTiles {
  readonly #tiles = new Map<string, TileAddress>();
  readonly #map: MapLibreMap;
  readonly #source: string;
  readonly #changed: (features: GeoJSON.FeatureCollection, count: number) => void;

  constructor(map: MapLibreMap, source: string, changed: (features: GeoJSON.FeatureCollection, count: number) => void) {
    this.#map = map;
    this.#source = source;
    this.#changed = changed;
    map.on('error', (event: TileError) => {
      if (event.sourceId !== source || !event.tile) return;
      const { z, x, y } = event.tile.tileID.canonical;
      this.#tiles.set(`${z}/${x}/${y}`, { z, x, y });
      this.#tell();
    });
    map.on('sourcedata', (event: MapSourceDataEvent) => {
      const tile = event.tile as { state?: string; tileID: { canonical: TileAddress } } | undefined;
      if (event.sourceId !== source || tile?.state !== 'loaded') return;
      const { z, x, y } = tile.tileID.canonical;
      if (this.#tiles.delete(`${z}/${x}/${y}`)) this.#tell();
    });
  }

  /** Other tiles are asked for: what failed before says nothing about them. */
  forget(): void {
    if (this.#tiles.size === 0) return;
    this.#tiles.clear();
    this.#tell();
  }

  /** Asks for the failed tiles again. */
  retry(): void {
    const tiles = [...this.#tiles.values()];
    this.forget();
    this.#map.refreshTiles(this.#source, tiles);
  }

  #tell(): void {
    const features = [...this.#tiles.values()].map(
      (tile): GeoJSON.Feature => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [boxRing(tileBbox(tile))] },
      }),
    );
    this.#changed({ type: 'FeatureCollection', features }, features.length);
  }
}
