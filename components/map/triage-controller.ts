import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import type { DisplacementGroup } from '@/lib/contract/displacement';
import { TILE_LAYERS } from '@/lib/contract/triage';
import type { LonLat } from '@/lib/crs/sphere';
import { type TileAddress, tileBbox } from '@/lib/crs/web-mercator';
import { DisplacementArrows } from './displacement-arrows';
import { CELL_LAYERS, ENTRY_LAYERS, ENTRY_SOURCES } from './entry-style';
import { FailedTiles } from './failed-tiles';
import { type Bbox, filterBbox, parseTile } from './geodesy';
import { entryOfFeature, groupOfCell, groupOfStack, type Hovered, type HoveredGroup } from './hovered';
import { arrowZoom, landingFeatures, tileBoxZoom } from './landing';
import { ARROW_LAYERS, TILE_BOX_LAYERS } from './landing-style';
import { MapController, type MapView } from './map-controller';
import type { Theme } from './palette';
import { type ScreenMark, type Stack, stackFeatures, stacksOf } from './stacks';
import { tilesUrl, triageStyle } from './style';

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
/** A cell or stack in view, largest first: the same content as a list. */
export type GroupInView = HoveredGroup & { position: [number, number] };

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
/** Topmost first. */
const POINTER_LAYERS = [
  ENTRY_LAYERS.stacks,
  ...CELL_LAYERS,
  ENTRY_LAYERS.marks,
  ENTRY_LAYERS.outline,
  ENTRY_LAYERS.outline_fill,
];

/** The triage map: tiles of the filter, selection, hover, clicks, stacks and failed tiles. */
export class TriageController {
  readonly #base: MapController;
  readonly #handlers: { current: TriageHandlers };
  #query: string;
  #selected: Selected | null = null;
  #stacks: Stack[] = [];
  #hoverKey: string | null = null;
  #hoverState: { sourceLayer: string; id: string } | null = null;
  readonly #failed: FailedTiles;
  readonly #displacement: DisplacementArrows;

  constructor(
    container: HTMLElement,
    options: { theme: Theme; query: string; view: MapView | null; describedBy: string },
    handlers: { current: TriageHandlers },
  ) {
    this.#query = options.query;
    this.#handlers = handlers;
    this.#base = new MapController({
      container,
      ...options,
      label: 'Map of the matching entries',
      style: (theme, origin, data) => triageStyle(theme, origin, this.#query, data),
    });
    const { map } = this.#base;
    map.on('moveend', () => this.#handlers.current.onViewChange(this.view()));
    map.on('movestart', () => this.#leave());
    map.on('idle', () => this.#readScreen());
    map.on('mousemove', (event) => this.#hover(event));
    map.on('mouseout', () => this.#leave());
    map.on('click', (event) => this.#click(event));
    this.#displacement = new DisplacementArrows(this.#base);
    this.#failed = new FailedTiles(map, ENTRY_SOURCES.entries, (features, count) => {
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

  /** `query`: the filter's search parameters. Tiles shown stay until the new ones are there. */
  setFilter(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#leave();
    this.#failed.forget();
    this.#base.setTiles(ENTRY_SOURCES.entries, tilesUrl(window.location.origin, query));
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

  /** Zooms a step further than the cell's own grid, with the cell in the middle. */
  zoomToCell(cell: TileAddress, position: LonLat): void {
    const zoom = Math.min(15, Math.max(this.#base.map.getZoom() + 2, cell.z - 3));
    this.#base.setView({ center: [position[0], position[1]], zoom });
  }

  #outlineState(id: string, selected: boolean): void {
    const outline = { source: ENTRY_SOURCES.entries, sourceLayer: TILE_LAYERS.outlines, id };
    this.#base.whenStyled(() => this.#base.map.setFeatureState(outline, { selected }));
  }

  #featureAt(event: MapMouseEvent): MapGeoJSONFeature | null {
    const { x, y } = event.point;
    const layers = POINTER_LAYERS.filter((layer) => this.#base.map.getLayer(layer));
    // Small cells are 4 px: a margin of 4 makes a target of 12.
    const found = this.#base.map.queryRenderedFeatures(
      [
        [x - 4, y - 4],
        [x + 4, y + 4],
      ],
      { layers },
    );
    const rank = (feature: MapGeoJSONFeature) => POINTER_LAYERS.indexOf(feature.layer.id);
    return found.sort((a, b) => rank(a) - rank(b))[0] ?? null;
  }

  #contentOf(feature: MapGeoJSONFeature): Omit<Hovered, 'x' | 'y'> | null {
    if (feature.sourceLayer === TILE_LAYERS.cells) return groupOfCell(feature.properties);
    if (feature.layer.id !== ENTRY_LAYERS.stacks) return entryOfFeature(feature);
    const stack = this.#stacks[Number(feature.properties.index)];
    return stack ? groupOfStack(stack) : null;
  }

  #hover(event: MapMouseEvent): void {
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
    if (feature.source === ENTRY_SOURCES.entries && feature.sourceLayer && id !== undefined) {
      this.#hoverState = { sourceLayer: feature.sourceLayer, id: String(id) };
      this.#base.map.setFeatureState({ source: ENTRY_SOURCES.entries, ...this.#hoverState }, { hover: true });
    }
    const place = feature.geometry.type === 'Point' ? feature.geometry.coordinates : null;
    const at = place ? this.#base.map.project([place[0]!, place[1]!]) : event.point;
    this.#handlers.current.onHover({ ...content, x: at.x, y: at.y } as Hovered);
  }

  #leave(): void {
    if (this.#hoverState) {
      const target = { source: ENTRY_SOURCES.entries, ...this.#hoverState };
      if (this.#base.map.getSource(ENTRY_SOURCES.entries)) this.#base.map.removeFeatureState(target, 'hover');
      this.#hoverState = null;
    }
    if (this.#hoverKey === null) return;
    this.#hoverKey = null;
    this.#base.map.getCanvas().style.cursor = '';
    this.#handlers.current.onHover(null);
  }

  #click(event: MapMouseEvent): void {
    const feature = this.#featureAt(event);
    if (!feature) return;
    if (feature.sourceLayer === TILE_LAYERS.cells) {
      const cell = parseTile(String(feature.properties.cell));
      if (!cell) return;
      if (event.originalEvent.shiftKey) this.#handlers.current.onFilterToCell(filterBbox(tileBbox(cell)));
      else this.zoomToCell(cell, [event.lngLat.lng, event.lngLat.lat]);
    } else if (feature.layer.id === ENTRY_LAYERS.stacks) {
      const stack = this.#stacks[Number(feature.properties.index)];
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
    const reach = (12 * 360) / (512 * 2 ** zoom);
    this.#handlers.current.onFilterToCell(filterBbox([lon - reach, lat - reach, lon + reach, lat + reach]));
  }

  /** After everything is drawn: which marks lie on one another, and the groups in view as a list. */
  #readScreen(): void {
    const { map } = this.#base;
    if (!map.getLayer(ENTRY_LAYERS.marks)) return;
    const zoomedIn = map.getZoom() >= 12;
    const marks = new Map<string, ScreenMark>();
    if (zoomedIn)
      for (const feature of map.queryRenderedFeatures({ layers: [ENTRY_LAYERS.marks] })) {
        if (feature.geometry.type !== 'Point') continue;
        const [lon, lat] = feature.geometry.coordinates as [number, number];
        const { x, y } = map.project([lon, lat]);
        const entry = entryOfFeature(feature);
        marks.set(entry.id, { ...entry, x, y, position: [lon, lat] });
      }
    this.#showStacks(stacksOf([...marks.values()].sort((a, b) => (a.id < b.id ? -1 : 1))));
    const groups = new Map<string, GroupInView>();
    if (!zoomedIn)
      for (const feature of map.queryRenderedFeatures({ layers: [...CELL_LAYERS] }))
        if (feature.geometry.type === 'Point')
          groups.set(String(feature.properties.cell), {
            ...groupOfCell(feature.properties),
            position: feature.geometry.coordinates as [number, number],
          });
    for (const stack of this.#stacks)
      groups.set(stack.ids[0]!, { ...groupOfStack(stack), position: [stack.position[0], stack.position[1]] });
    this.#handlers.current.onGroups([...groups.values()].sort((a, b) => b.total - a.total));
  }

  #showStacks(stacks: Stack[]): void {
    const before = this.#stacks.flatMap((stack) => stack.ids).join();
    const ids = stacks.flatMap((stack) => stack.ids);
    if (ids.join() === before) return;
    const { map } = this.#base;
    const member = (id: string) => ({ source: ENTRY_SOURCES.entries, sourceLayer: TILE_LAYERS.points, id });
    for (const stack of this.#stacks) for (const id of stack.ids) map.removeFeatureState(member(id), 'stacked');
    for (const id of ids) map.setFeatureState(member(id), { stacked: true });
    this.#stacks = stacks;
    this.#base.setData(ENTRY_SOURCES.stacks, stackFeatures(stacks));
  }
}
