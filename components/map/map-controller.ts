import {
  type GeoJSONSource,
  Map as MapLibreMap,
  type PaddingOptions,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { LOWEST_ZOOM } from './basemap-style';
import { type Bbox, nearestLon } from './geodesy';
import { imageOf } from './mark-image';
import type { Theme } from './palette';
import type { SourceData } from './style';

export type MapView = { center: [number, number]; zoom: number };
/** Makes the whole style of a theme around the data that the sources hold. */
export type StyleOf = (theme: Theme, origin: string, data: SourceData) => StyleSpecification;

export type MapOptions = {
  container: HTMLElement;
  theme: Theme;
  style: StyleOf;
  view?: MapView | null;
  /** What the canvas is called by assistive technology. */
  label: string;
  /** Id of the element that says in words what the map shows. */
  describedBy: string;
};

const MAP_KEYS = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', '+', '=', '-'];
/** Longest zoom into one place: about 2 cm a pixel. */
const MAX_ZOOM = 22;
/** MapLibre's world is this wide at zoom 0, in px. */
const WORLD_PX = 512;

/**
 * The zoom at which the world is seen twice: more copies only repeat what is there, and a flat map that shows less
 * could not hold the way from a pole, where swapped axes land, to a tile in the north.
 */
function minZoomOf(container: HTMLElement): number {
  return Math.max(LOWEST_ZOOM, Math.log2(container.clientWidth / WORLD_PX / 2));
}

/**
 * Owns one MapLibre map. Every setter may be called again with the same value at no cost, before the style is there and
 * after `remove`. The container carries `data-map-idle="true"` while everything asked for is drawn.
 */
export class MapController {
  readonly map: MapLibreMap;
  readonly #styleOf: StyleOf;
  readonly #data: SourceData = {};
  readonly #zoomRanges = new Map<string, { minzoom: number; maxzoom: number }>();
  #theme: Theme;
  #removed = false;

  constructor({ container, theme, style, view, label, describedBy }: MapOptions) {
    // The default resolution of the worker's address fails under Turbopack; a URL made here is hashed and served.
    setWorkerUrl(new URL('maplibre-gl/dist/maplibre-gl-worker.mjs', import.meta.url).href);
    this.#theme = theme;
    this.#styleOf = style;
    this.map = new MapLibreMap({
      container,
      style: style(theme, window.location.origin, {}),
      center: view?.center ?? [0, 20],
      zoom: view?.zoom ?? 1,
      minZoom: minZoomOf(container),
      maxZoom: MAX_ZOOM,
      attributionControl: false,
      renderWorldCopies: true,
      // Shift with a click filters.
      boxZoom: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      maxPitch: 0,
      fadeDuration: 0,
    });
    this.map.on('resize', () => this.map.setMinZoom(minZoomOf(container)));
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    const ratio = Math.max(1, window.devicePixelRatio);
    this.map.setMissingStyleImageResolver((name) => {
      const image = imageOf(name, ratio);
      if (image && !this.map.hasImage(name)) this.map.addImage(name, image, { pixelRatio: ratio });
    });
    // Keys that move the map move nothing else; MapLibre listens further in and has had them by then.
    container.addEventListener('keydown', (event) => {
      if (MAP_KEYS.includes(event.key)) event.stopPropagation();
    });
    const canvas = this.map.getCanvas();
    canvas.setAttribute('aria-label', label);
    canvas.setAttribute('aria-describedby', describedBy);
    container.dataset.mapIdle = 'false';
    const busy = () => {
      container.dataset.mapIdle = 'false';
    };
    this.map.on('movestart', busy);
    this.map.on('dataloading', busy);
    this.map.on('idle', () => {
      container.dataset.mapIdle = 'true';
    });
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Runs `apply` now, or once the style has loaded. */
  whenStyled(apply: () => void): void {
    if (this.#removed) return;
    if (this.map.isStyleLoaded() || this.map.getSource('land')) apply();
    else
      this.map.once('styledata', () => {
        if (!this.#removed) apply();
      });
  }

  /** Replaces what a GeoJSON source holds. */
  setData(source: string, data: GeoJSON.FeatureCollection): void {
    if (this.#data[source] === data) return;
    this.#data[source] = data;
    this.whenStyled(() => this.map.getSource<GeoJSONSource>(source)?.setData(this.#data[source]!));
  }

  setTheme(theme: Theme): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.restyle();
  }

  /** Makes the style anew and applies what differs; loaded tiles, data and zoom ranges stay. */
  restyle(): void {
    // made when it is applied: data that was set while it waited would be taken away again
    this.whenStyled(() => {
      const style = this.#styleOf(this.#theme, window.location.origin, this.#data);
      const layers = style.layers.map((layer) => ({ ...layer, ...this.#zoomRanges.get(layer.id) }));
      this.map.setStyle({ ...style, layers }, { diff: true });
    });
  }

  /** Zooms between which a layer is drawn. */
  setZoomRange(layers: readonly string[], from: number, to: number): void {
    for (const layer of layers) this.#zoomRanges.set(layer, { minzoom: from, maxzoom: to });
    this.whenStyled(() => {
      for (const layer of layers) if (this.map.getLayer(layer)) this.map.setLayerZoomRange(layer, from, to);
    });
  }

  /**
   * Moves without animation. A view within a pixel of the present one, or as near as an address of five decimals and a
   * zoom of two can say, is left alone: the view that a page gives back is the map's own, rounded.
   */
  setView({ center, zoom }: MapView): void {
    if (this.#removed) return;
    const now = this.map.getCenter();
    const scale = (512 * 2 ** zoom) / 360;
    const moved = Math.max(Math.abs(nearestLon(center[0], now.lng) - now.lng), Math.abs(center[1] - now.lat)) * scale;
    if (moved < Math.max(1, 1e-5 * scale) && Math.abs(this.map.getZoom() - zoom) < 0.006) return;
    this.map.jumpTo({ center, zoom });
  }

  /** Shows the whole box (west > east crosses 180°), at most as close as `maxZoom`. */
  fit([west, south, east, north]: Bbox, maxZoom = 14, padding: number | PaddingOptions = 40): void {
    if (this.#removed) return;
    this.map.fitBounds([west, south, west > east ? east + 360 : east, north], { padding, maxZoom, duration: 0 });
  }

  zoomBy(steps: number): void {
    if (!this.#removed) this.map.zoomTo(this.map.getZoom() + steps, { duration: 0 });
  }

  /** Resolves when everything asked for so far is drawn. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.map.once('idle', () => resolve());
      this.map.triggerRepaint();
    });
  }

  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    delete this.map.getContainer().dataset.mapIdle;
    this.map.remove();
  }
}
