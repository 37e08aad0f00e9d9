import type { MapGeoJSONFeature, Map as MapLibreMap, MapMouseEvent } from 'maplibre-gl';
import type { DisplacementGroup } from '@/lib/contract/displacement';
import { TILE_LAYERS } from '@/lib/contract/triage';
import type { LonLat } from '@/lib/crs/sphere';
import { type TileAddress, tileBbox } from '@/lib/crs/web-mercator';
import { DisplacementArrows } from './displacement-arrows';
import { type Area, areaFeatures } from './draw-area';
import { AREA_SOURCE } from './draw-style';
import { ENTRY_SOURCES, STACKS_LAYER, TILE_SOURCES, tileLayerIds } from './entry-style';
import { FailedTiles } from './failed-tiles';
import { FilterTiles } from './filter-tiles';
import { type Bbox, filterBbox, parseTile } from './geodesy';
import { entryOfFeature, groupOfCell, groupOfStack, type Hovered } from './hovered';
import { arrowZoom, landingFeatures, tileBoxZoom } from './landing';
import { ARROW_LAYERS, TILE_BOX_LAYERS } from './landing-style';
import { MapController, type MapView } from './map-controller';
import type { Theme } from './palette';
import { type GroupInView, ScreenGroups } from './screen-groups';
import type { Stack } from './stacks';
import { type TilesInStyle, triageStyle } from './style';

/** The open entry. With its tile the way there is drawn, with its class its mark. */
export type Selected = {
  id: string;
  position: [number, number] | null;
  tile?: TileAddress | null;
  failure_class?: string;
  /** From the geometry to its tile as the database measured it. */
  distance_m?: number | null;
};
export type ViewChange = MapView & { bbox: [number, number, number, number] };

export type TriageHandlers = {
  onViewChange(view: ViewChange): void;
  onOpen(id: string): void;
  /** A filter's bbox of a cell, a stack or the view. */
  onFilterToCell(bbox: [number, number, number, number]): void;
  onHover(hovered: Hovered | null): void;
  /** Tiles on screen that could not be loaded. */
  onFailedTiles(count: number): void;
  onGroups(groups: GroupInView[]): void;
};

/** From here on a click on a stack no longer pulls it apart, so it filters. */
const STACK_ZOOM_MAX = 19;

/** The triage map: tiles of the filter, selection, hover, clicks, stacks and failed tiles. */
export class TriageController {
  readonly #base: MapController;
  readonly #handlers: { current: TriageHandlers };
  readonly #tiles: FilterTiles;
  #selected: Selected | null = null;
  readonly #groups: ScreenGroups;
  #hoverKey: string | null = null;
  #hoverState: { source: string; sourceLayer: string; id: string } | null = null;
  #drawing = false;
  #area: Area = {};
  readonly #failed: FailedTiles;
  readonly #displacement: DisplacementArrows;

  constructor(
    container: HTMLElement,
    options: { theme: Theme; query: string; as_of: string; view: MapView | null; describedBy: string },
    handlers: { current: TriageHandlers },
  ) {
    this.#handlers = handlers;
    const tiles: TilesInStyle = { drawn: { source: TILE_SOURCES[0], query: options.query }, loading: null };
    this.#base = new MapController({
      container,
      ...options,
      label: 'Map of the matching entries',
      style: (theme, origin, data) => triageStyle(theme, origin, tiles, data),
    });
    const { map } = this.#base;
    map.on('moveend', () => this.#handlers.current.onViewChange(this.view()));
    map.on('movestart', () => this.#leave());
    map.on('idle', () => this.#groups.read(this.#tiles.source));
    map.on('mousemove', (event) => this.#hover(event));
    map.on('mouseout', () => this.#leave());
    map.on('click', (event) => this.#click(event));
    this.#groups = new ScreenGroups(this.#base, (groups) => this.#handlers.current.onGroups(groups));
    this.#displacement = new DisplacementArrows(this.#base);
    this.#tiles = new FilterTiles(this.#base, tiles, options.as_of, {
      loads: (source) => this.#failed.forget(source),
      replaced: () => this.#tilesReplaced(),
    });
    this.#failed = new FailedTiles(map, TILE_SOURCES, (features, count) => {
      this.#base.setData(ENTRY_SOURCES.failed, features);
      this.#handlers.current.onFailedTiles(count);
    });
  }

  view(): ViewChange {
    const { lng, lat } = this.#base.map.getCenter().wrap();
    const bounds = this.#base.map.getBounds();
    const bbox = filterBbox([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]);
    return { center: [lng, lat], zoom: this.#base.map.getZoom(), bbox };
  }

  /** `query`: the filter's search parameters; `as_of`: of the answer that the tiles stand beside. What is drawn stays until all of the new tiles are there. */
  setFilter(query: string, as_of: string): void {
    this.#tiles.ask(query, as_of);
  }

  setSelected(selected: Selected | null): void {
    const before = this.#selected;
    if (JSON.stringify(before) === JSON.stringify(selected)) return;
    this.#selected = selected;
    if (before) this.#outlineState(before.id, false);
    if (selected) this.#outlineState(selected.id, true);
    const tile = selected?.tile ?? null;
    this.#base.setData(
      ENTRY_SOURCES.landing,
      landingFeatures(selected?.position ?? null, tile, selected?.failure_class, selected?.distance_m),
    );
    const arrow = arrowZoom(selected?.position ?? null, tile);
    this.#base.setZoomRange(ARROW_LAYERS.line, arrow, 24);
    this.#base.setZoomRange(ARROW_LAYERS.label, Math.min(24, arrow + 1.5), 24);
    const from = tileBoxZoom(tile?.z ?? 0);
    this.#base.setZoomRange([TILE_BOX_LAYERS.small], 0, from);
    this.#base.setZoomRange(TILE_BOX_LAYERS.own, from, 24);
  }

  /** The groups whose ways to their tiles are drawn; none takes them away. */
  setDisplacement(groups: readonly DisplacementGroup[]): void {
    this.#displacement.show(groups);
  }

  get map(): MapLibreMap {
    return this.#base.map;
  }

  /** The area and the box of the filter. */
  setArea(area: Area): void {
    this.#area = area;
    this.#showArea();
  }

  /** While an area is drawn the pointer draws: it neither opens nor filters nor shows what lies under it. */
  setDrawing(on: boolean): void {
    this.#drawing = on;
    this.#leave();
    this.#showArea();
  }

  /** What is being drawn takes the place of what was. */
  #showArea(): void {
    const { polygon, bbox } = this.#area;
    this.#base.setData(
      AREA_SOURCE,
      areaFeatures({ ...(polygon && !this.#drawing ? { polygon } : {}), ...(bbox ? { bbox } : {}) }),
    );
  }

  setTheme(theme: Theme): void {
    this.#base.setTheme(theme);
  }

  setView(view: MapView): void {
    this.#base.setView(view);
  }

  fit(extent: Bbox): void {
    this.#base.fit(extent, 14, { top: 52, right: 52, bottom: 56, left: 40 });
  }

  zoomBy(steps: number): void {
    this.#base.zoomBy(steps);
  }

  /** Asks again for the tiles that failed. */
  retry(): void {
    this.#failed.retry();
  }

  whenIdle(): Promise<void> {
    return this.#base.whenIdle();
  }

  remove(): void {
    this.#base.remove();
  }

  /** A step closer to a cell or stack, as a click on it goes. */
  zoomTo({ cell, position }: GroupInView): void {
    if (cell) this.#zoomToCell(cell, position);
    else this.#base.setView({ center: position, zoom: Math.min(STACK_ZOOM_MAX, this.#base.map.getZoom() + 2) });
  }

  /** Filters to a cell or stack, as Shift with a click on it does. */
  filterTo({ cell, position }: GroupInView): void {
    this.#handlers.current.onFilterToCell(filterBbox(cell ? tileBbox(cell) : this.#around(position)));
  }

  /** The degrees that a stack at a place covers on the screen. */
  #around([lon, lat]: LonLat): Bbox {
    const reach = (12 * 360) / (512 * 2 ** this.#base.map.getZoom());
    return [lon - reach, lat - reach, lon + reach, lat + reach];
  }

  /** Zooms a step further than the cell's own grid, with the cell in the middle. */
  #zoomToCell(cell: TileAddress, position: LonLat): void {
    const zoom = Math.min(15, Math.max(this.#base.map.getZoom() + 2, cell.z - 3));
    this.#base.setView({ center: [position[0], position[1]], zoom });
  }

  #tilesReplaced(): void {
    this.#leave();
    this.#failed.show(this.#tiles.source);
    if (this.#selected) this.#outlineState(this.#selected.id, true);
    this.#groups.read(this.#tiles.source);
  }

  #outlineState(id: string, selected: boolean): void {
    this.#base.whenStyled(() =>
      this.#base.map.setFeatureState(
        { source: this.#tiles.source, sourceLayer: TILE_LAYERS.outlines, id },
        { selected },
      ),
    );
  }

  #featureAt(event: MapMouseEvent): MapGeoJSONFeature | null {
    const { x, y } = event.point;
    const ids = tileLayerIds(this.#tiles.source);
    // topmost first
    const order = [STACKS_LAYER, ...ids.cells, ids.marks, ids.outline, ids.outline_fill];
    const layers = order.filter((layer) => this.#base.map.getLayer(layer));
    // Small cells are 4 px: a margin of 4 makes a target of 12.
    const found = this.#base.map.queryRenderedFeatures(
      [
        [x - 4, y - 4],
        [x + 4, y + 4],
      ],
      { layers },
    );
    const rank = (feature: MapGeoJSONFeature) => order.indexOf(feature.layer.id);
    return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
  }

  #contentOf(feature: MapGeoJSONFeature): Omit<Hovered, 'x' | 'y'> | null {
    if (feature.sourceLayer === TILE_LAYERS.cells) return groupOfCell(feature.properties);
    if (feature.layer.id !== STACKS_LAYER) return entryOfFeature(feature);
    const stack = this.#groups.stackOf(feature);
    return stack ? groupOfStack(stack) : null;
  }

  #hover(event: MapMouseEvent): void {
    if (this.#drawing) return;
    const feature = this.#featureAt(event);
    const content = feature ? this.#contentOf(feature) : null;
    if (!feature || !content) {
      this.#leave();
      return;
    }
    const key = `${feature.layer.id} ${JSON.stringify(content)}`;
    if (key === this.#hoverKey) return;
    this.#leave();
    this.#hoverKey = key;
    this.#base.map.getCanvas().style.cursor = 'pointer';
    const { id } = feature;
    if (feature.source === this.#tiles.source && feature.sourceLayer && id !== undefined) {
      this.#hoverState = { source: feature.source, sourceLayer: feature.sourceLayer, id: String(id) };
      this.#base.map.setFeatureState(this.#hoverState, { hover: true });
    }
    const place = feature.geometry.type === 'Point' ? feature.geometry.coordinates : null;
    const at = place ? this.#base.map.project([place[0]!, place[1]!]) : event.point;
    this.#handlers.current.onHover({ ...content, x: at.x, y: at.y } as Hovered);
  }

  #leave(): void {
    if (this.#hoverState) {
      const { source } = this.#hoverState;
      if (this.#base.map.getSource(source)) this.#base.map.removeFeatureState(this.#hoverState, 'hover');
      this.#hoverState = null;
    }
    if (this.#hoverKey === null) return;
    this.#hoverKey = null;
    this.#base.map.getCanvas().style.cursor = '';
    this.#handlers.current.onHover(null);
  }

  #click(event: MapMouseEvent): void {
    if (this.#drawing) return;
    const feature = this.#featureAt(event);
    if (!feature) return;
    if (feature.sourceLayer === TILE_LAYERS.cells) {
      const cell = parseTile(String(feature.properties.cell));
      if (!cell) return;
      if (event.originalEvent.shiftKey) this.#handlers.current.onFilterToCell(filterBbox(tileBbox(cell)));
      else this.#zoomToCell(cell, [event.lngLat.lng, event.lngLat.lat]);
    } else if (feature.layer.id === STACKS_LAYER) {
      const stack = this.#groups.stackOf(feature);
      if (stack) this.#openStack(stack, event.originalEvent.shiftKey);
    } else this.#handlers.current.onOpen(String(feature.id));
  }

  #openStack(stack: Stack, filter: boolean): void {
    const zoom = this.#base.map.getZoom();
    const [lon, lat] = stack.position;
    if (!filter && zoom < STACK_ZOOM_MAX) {
      this.#base.setView({ center: [lon, lat], zoom: Math.min(STACK_ZOOM_MAX, zoom + 2) });
      return;
    }
    this.#handlers.current.onFilterToCell(filterBbox(this.#around([lon, lat])));
  }
}
