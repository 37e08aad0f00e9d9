import { STACKS_LAYER, TILE_SOURCES, type TileSource, tileLayers, tileSource } from './entry-style';
import type { MapController } from './map-controller';
import { PALETTES } from './palette';
import type { TilesInStyle } from './style';

export type FilterTilesHandlers = {
  /** A source begins to hold other tiles. */
  loads(source: TileSource): void;
  /** Other tiles are drawn from this frame on. */
  replaced(): void;
};

/**
 * The tiles of the filter. Those of another filter are loaded into a source of their own under the map's ground, and take
 * the place of what is drawn in one frame once all of them are there: the map never shows a part of each, is never blank
 * in between, and what comes late from a filter that was given up is not shown.
 */
export class FilterTiles {
  readonly #base: MapController;
  readonly #handlers: FilterTilesHandlers;
  readonly #tiles: TilesInStyle;
  /** What the tiles that are drawn are of: the filter, and the moment of the answer that they stand beside. */
  #shown: string;
  /** The same of the tiles that are to be drawn. */
  #asked: string;

  constructor(base: MapController, tiles: TilesInStyle, as_of: string, handlers: FilterTilesHandlers) {
    this.#base = base;
    this.#tiles = tiles;
    this.#shown = `${tiles.drawn.query} ${as_of}`;
    this.#asked = this.#shown;
    this.#handlers = handlers;
    // symbols are placed in the frame before this event: what is loaded by now shows at once when it is uncovered
    base.map.on('render', () => {
      const { loading } = this.#tiles;
      if (loading && base.map.getSource(loading.source) && base.map.isSourceLoaded(loading.source)) this.#uncover();
    });
    base.map.on('error', () => base.map.triggerRepaint());
  }

  /** The source that is drawn. */
  get source(): TileSource {
    return this.#tiles.drawn.source;
  }

  /** Asks for the tiles of a filter, and again for those of the same one where the answer is another. */
  ask(query: string, as_of: string): void {
    const asked = `${query} ${as_of}`;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#base.whenStyled(() => {
      if (asked !== this.#asked) return;
      if (this.#tiles.loading) this.#remove(this.#tiles.loading.source);
      this.#tiles.loading = null;
      if (asked === this.#shown) return;
      const { map, theme } = this.#base;
      const source = TILE_SOURCES.find((each) => each !== this.source)!;
      this.#tiles.loading = { source, query };
      this.#handlers.loads(source);
      map.addSource(source, tileSource(window.location.origin, query));
      const [lowest] = map.getLayersOrder();
      for (const layer of tileLayers(source, theme, PALETTES[theme])) map.addLayer(layer, lowest);
    });
  }

  #uncover(): void {
    const { drawn, loading } = this.#tiles;
    if (!loading) return;
    this.#tiles.drawn = loading;
    this.#shown = this.#asked;
    this.#tiles.loading = null;
    const { map, theme } = this.#base;
    // moved, not made anew: a layer that is added has to read its tiles again
    for (const { id } of tileLayers(loading.source, theme, PALETTES[theme])) map.moveLayer(id, STACKS_LAYER);
    this.#remove(drawn.source);
    this.#handlers.replaced();
  }

  #remove(source: TileSource): void {
    const { map, theme } = this.#base;
    for (const { id } of tileLayers(source, theme, PALETTES[theme])) if (map.getLayer(id)) map.removeLayer(id);
    if (map.getSource(source)) map.removeSource(source);
  }
}
