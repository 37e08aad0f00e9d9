'use client';

import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useId, useRef, useState } from 'react';
import type { LonLat } from '@/lib/contract/area-polygon';
import { CELL_ZOOM_OFFSET } from '@/lib/contract/triage';
import { distanceText } from '@/lib/crs/distance-words';
import { SPARSE_FROM_ZOOM } from './basemap-style';
import { displacementSummary } from './displacement';
import { DisplacementLayer, useDisplacement } from './displacement-layer';
import type { Area } from './draw-area';
import { DrawControl } from './draw-control';
import { type Bbox, scaleBar } from './geodesy';
import { classesOf, GroupsInView, viewSummary } from './groups-in-view';
import type { Hovered } from './hovered';
import type { MapView } from './map-controller';
import { MapIcon } from './map-icon';
import { MapLegend } from './map-legend';
import { MapPopover } from './map-popover';
import type { Theme } from './palette';
import { PlacePicker } from './place-picker';
import type { GroupInView } from './screen-groups';
import { type Selected, TriageController, type TriageHandlers, type ViewChange } from './triage-controller';

export type FailureMapProps = {
  /** The filter's search parameters, without `?`. */
  query: string;
  /** The moment of the answer that the map stands beside: another asks for the tiles again. */
  as_of: string;
  /** Bounds of the matching positions; shown first where no view is given, and by "Fit". */
  extent: Bbox | null;
  /** Where most entries lie: the first view. */
  focus: Bbox | null;
  /** The view of the URL, or null to fit `focus`. */
  view: MapView | null;
  onViewChange(view: ViewChange): void;
  selected: Selected | null;
  onOpen(id: string): void;
  /** A filter's bbox: of a cell, of a stack, or of the view ("Filter to view"). */
  onFilterToCell(bbox: [number, number, number, number]): void;
  /** The filter's area and box, drawn while they stand. */
  area: Area;
  /** The area as it was drawn or changed, or null to take it out of the filter. */
  onPolygon(ring: LonLat[] | null): void;
  /** Whether the ways of displaced groups are shown. */
  displaced: boolean;
  onDisplaced(on: boolean): void;
  /** Adds a place to the filter, by its code. */
  onPlace(code: string): void;
  theme: Theme;
};

const WORLD: MapView = { center: [0, 20], zoom: 1 };
const NOTHING = { groups: [] as GroupInView[], failed: 0 };

/** The triage map. Client only: load it through `next/dynamic` with `ssr: false`. */
export default function FailureMap(props: FailureMapProps) {
  const { query, as_of, extent, focus, view, selected, displaced, theme } = props;
  const container = useRef<HTMLDivElement>(null);
  const controller = useRef<TriageController>(null);
  const fitted = useRef(view !== null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const [shown, setShown] = useState<ViewChange>({ ...(view ?? WORLD), bbox: [-180, -90, 180, 90] });
  const [{ groups, failed }, setContent] = useState(NOTHING);
  const [panelOpen, setPanelOpen] = useState(false);
  const summaryId = useId();
  const panelId = useId();

  const handlers = useRef<TriageHandlers>(null);
  handlers.current = {
    onViewChange: (next) => {
      setShown(next);
      props.onViewChange(next);
    },
    onOpen: props.onOpen,
    onFilterToCell: props.onFilterToCell,
    onHover: setHovered,
    onFailedTiles: (count) => setContent((before) => ({ ...before, failed: count })),
    onGroups: (next) => setContent((before) => ({ ...before, groups: next })),
  };
  const first = useRef({ theme, query, as_of, view, describedBy: summaryId });

  useEffect(() => {
    if (!container.current) return;
    const made = new TriageController(container.current, first.current, handlers as React.RefObject<TriageHandlers>);
    controller.current = made;
    setShown(made.view());
    // a view from the address moves nothing, so nothing else would tell what is in it
    if (first.current.view) handlers.current?.onViewChange(made.view());
    return () => {
      controller.current = null;
      fitted.current = first.current.view !== null;
      made.remove();
    };
  }, []);
  const displacement = useDisplacement(query, displaced, controller);
  useEffect(() => controller.current?.setFilter(query, as_of), [query, as_of]);
  useEffect(() => controller.current?.setTheme(theme), [theme]);
  useEffect(() => controller.current?.setArea(props.area), [props.area]);
  useEffect(() => controller.current?.setSelected(selected), [selected]);
  useEffect(() => {
    if (view) controller.current?.setView(view);
  }, [view]);
  useEffect(() => {
    if (fitted.current || !focus) return;
    fitted.current = true;
    controller.current?.fit(focus);
  }, [focus]);

  const bar = scaleBar(shown.center[1], shown.zoom, 96);
  const box = container.current;
  return (
    <section className="mapbox" aria-label="Map">
      <div ref={container} className="map-gl" />
      <p id={summaryId} className="sr">
        {viewSummary(groups, shown.zoom)}
        {displacement?.answer && ` ${displacementSummary(displacement.ordered)}`}
      </p>
      <div className="map-tl">
        <button type="button" className="btn btn-s" onClick={() => props.onFilterToCell(shown.bbox)}>
          <MapIcon name="view" />
          Filter to view
        </button>
        <DrawControl target={controller} polygon={props.area.polygon} theme={theme} onPolygon={props.onPolygon} />
        <PlacePicker onPlace={props.onPlace} />
      </div>
      <div className="map-tr">
        <button
          type="button"
          className="btn btn-s btn-icon"
          aria-label="Zoom in"
          onClick={() => controller.current?.zoomBy(1)}
        >
          <MapIcon name="plus" />
        </button>
        <button
          type="button"
          className="btn btn-s btn-icon"
          aria-label="Zoom out"
          onClick={() => controller.current?.zoomBy(-1)}
        >
          <MapIcon name="minus" />
        </button>
        <button
          type="button"
          className="btn btn-s btn-icon"
          aria-label="Fit all entries"
          disabled={!extent}
          onClick={() => extent && controller.current?.fit(extent)}
        >
          <MapIcon name="fit" />
        </button>
        <button
          type="button"
          className="btn btn-s btn-icon"
          aria-label="Layers and cells in view"
          aria-expanded={panelOpen}
          aria-controls={panelId}
          onClick={() => setPanelOpen(!panelOpen)}
        >
          <MapIcon name="layers" />
        </button>
      </div>
      <div id={panelId} className="map-panel pop" hidden={!panelOpen}>
        <DisplacementLayer shown={displacement} openId={selected?.id ?? null} onSwitch={props.onDisplaced} />
        <b>{shown.zoom < 12 ? 'Cells in view' : 'Stacks in view'}</b>
        <GroupsInView
          groups={groups}
          cellMetres={tileMetres(shown.center[1], Math.floor(shown.zoom) + CELL_ZOOM_OFFSET)}
          onGo={(group) => controller.current?.zoomTo(group)}
          onFilter={(group) => controller.current?.filterTo(group)}
        />
      </div>
      {failed > 0 && (
        <p className="note note-warn map-note" role="status">
          <MapIcon name="warning" />
          <span>
            {failed === 1 ? '1 tile of the map did not load' : `${failed} tiles of the map did not load`}: hatched.
          </span>
          <button type="button" className="btn btn-s" onClick={() => controller.current?.retry()}>
            Load again
          </button>
        </p>
      )}
      <MapLegend
        closer={shown.zoom >= 12}
        classes={classesOf(groups)}
        displacement={displaced}
        roomy={(box?.clientWidth ?? 0) >= 560}
      />
      <div className="map-bl cap">
        <span className="scale" style={{ width: bar.px }} />
        {distanceText(bar.metres)}
        <span className="map-credit">
          Natural Earth, <a href="https://www.geonames.org/">GeoNames</a>
          {shown.zoom >= SPARSE_FROM_ZOOM && `; coarse from zoom ${SPARSE_FROM_ZOOM}`}
        </span>
      </div>
      {hovered && box && <MapPopover hovered={hovered} width={box.clientWidth} height={box.clientHeight} />}
    </section>
  );
}

/** Side of a tile of zoom `z` on the ground, in metres. */
function tileMetres(lat: number, z: number): number {
  return (2 * Math.PI * 6_378_137 * Math.cos((lat * Math.PI) / 180)) / 2 ** z;
}
