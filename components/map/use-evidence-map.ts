'use client';
import { type RefObject, useEffect, useRef } from 'react';
import type { LinkedCursor } from '@/components/evidence/linked-cursor';
import type { LonLat } from '@/lib/crs/sphere';
import {
  areaFeatures,
  candidateFeatures,
  cursorFeatures,
  evidenceLanding,
  faultFeatures,
  NOTHING,
  showsFaults,
} from './evidence-features';
import { globeView } from './evidence-globe';
import type { EvidenceShape } from './evidence-shape';
import { EVIDENCE_SOURCES } from './evidence-style';
import type { Bounds, EvidenceInput, EvidenceView } from './evidence-view';
import { arrowZoom, tileBoxZoom } from './landing';
import { ARROW_LAYERS, TILE_BOX_LAYERS } from './landing-style';
import { MapController } from './map-controller';
import type { Pole } from './over-pole';
import type { Theme } from './palette';
import { evidenceStyle } from './style';

/** Close up, a single point is shown at this zoom, where a tile of z 14 fills the pane. */
const CLOSEST = 19;
const OVERVIEW_CLOSEST = 9;

export type Extent = 'overview' | 'close_up';

type Shown = {
  container: RefObject<HTMLDivElement | null>;
  drawable: boolean;
  describedBy: string;
  theme: Theme;
  globe: boolean;
  view: EvidenceView;
  input: EvidenceInput;
  extent: Extent;
  /** Counts how often an extent was asked for: the same one may be asked for again. */
  asked: number;
  ghost: EvidenceShape | null;
  /** Asks for the ghost to be shown close up; another object asks again. */
  go: object | null;
  focus: LonLat | null;
  cursor: LinkedCursor;
};

/** Keeps one map showing what it is given. */
export function useEvidenceMap(shown: Shown): void {
  const { container, drawable, describedBy, theme, globe, view, input, extent, asked, ghost, go, focus, cursor } =
    shown;
  const { evidence, failure_class, tile, distance_m, faults, current_fault, area_of_use } = input;
  const controller = useRef<MapController>(null);
  const first = useRef({ theme, globe });
  const projection = useRef(globe);
  const close = extent === 'close_up';

  useEffect(() => {
    if (!container.current || !drawable) return;
    const made = new MapController({
      container: container.current,
      theme: first.current.theme,
      style: (named, origin, data) => ({
        ...evidenceStyle(named, origin, data),
        projection: { type: projection.current ? 'globe' : 'mercator' },
      }),
      label: 'Map of this entry',
      describedBy,
    });
    controller.current = made;
    made.map.on('mousemove', ({ lngLat }) => cursor.overMap([lngLat.lng, lngLat.lat]));
    made.map.on('mouseout', () => cursor.overMap(null));
    return () => {
      controller.current = null;
      made.remove();
    };
  }, [drawable, describedBy, container, cursor]);
  useEffect(() => {
    first.current = { theme, globe };
    controller.current?.setTheme(theme);
    if (projection.current === globe) return;
    projection.current = globe;
    controller.current?.restyle();
  }, [theme, globe]);
  useEffect(() => {
    const map = controller.current;
    if (!map) return;
    map.setData(EVIDENCE_SOURCES.shape, view.shape?.features ?? NOTHING);
    map.setData(EVIDENCE_SOURCES.area, areaFeatures(area_of_use, view.landing));
    map.setData(EVIDENCE_SOURCES.candidates, candidateFeatures(evidence, view.landing));
    const from = tileBoxZoom(tile?.z ?? 0);
    map.setZoomRange([TILE_BOX_LAYERS.small], 0, from);
    map.setZoomRange(TILE_BOX_LAYERS.own, from, 24);
    const arrow = arrowZoom(view.landing, tile);
    map.setZoomRange(ARROW_LAYERS.line, arrow, 24);
    map.setZoomRange(ARROW_LAYERS.label, Math.min(24, arrow + 1), 24);
  }, [view, evidence, tile, area_of_use]);
  useEffect(() => {
    controller.current?.setData(
      EVIDENCE_SOURCES.landing,
      evidenceLanding(view, { tile, failure_class, distance_m }, close),
    );
  }, [view, failure_class, tile, distance_m, close]);
  useEffect(() => {
    const marks = showsFaults(view, close) ? faultFeatures(view, faults, current_fault) : NOTHING;
    controller.current?.setData(EVIDENCE_SOURCES.faults, marks);
  }, [view, faults, current_fault, close]);
  useEffect(() => {
    controller.current?.setData(EVIDENCE_SOURCES.ghost, ghost?.features ?? NOTHING);
  }, [ghost]);
  useEffect(() => {
    const show = () =>
      controller.current?.setData(EVIDENCE_SOURCES.cursor, cursorFeatures(cursor.on_map, focus, view.landing));
    show();
    return cursor.subscribe(show);
  }, [cursor, focus, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: being asked again is the signal
  useEffect(() => {
    if (controller.current)
      moveTo(
        controller.current,
        close ? view.close_up : view.overview,
        view.shape?.encloses_pole ?? null,
        globe,
        close,
      );
  }, [view, close, globe, asked]);
  const gone = useRef<object | null>(null);
  useEffect(() => {
    if (!go || !ghost?.bounds || gone.current === go || !controller.current) return;
    gone.current = go;
    moveTo(controller.current, ghost.bounds, ghost.encloses_pole, globe, true);
  }, [go, ghost, globe]);
  useEffect(() => {
    const map = controller.current;
    if (!map || !focus || !close) return;
    // a chosen vertex that is in view moves nothing
    if (!map.map.getBounds().contains([focus[0], focus[1]])) map.map.jumpTo({ center: [focus[0], focus[1]] });
  }, [focus, close]);
}

function moveTo(
  controller: MapController,
  bounds: Bounds | null,
  pole: Pole | null,
  globe: boolean,
  close: boolean,
): void {
  if (!bounds) return;
  if (!globe) {
    controller.fit(bounds, close ? CLOSEST : OVERVIEW_CLOSEST, close ? 24 : 32);
    return;
  }
  const { clientWidth: width, clientHeight: height } = controller.map.getContainer();
  // the camera is made anew with the globe: where it stood before the style came is lost
  controller.whenStyled(() =>
    controller.setView(globeView(bounds, pole, { width, height }, close ? CLOSEST : OVERVIEW_CLOSEST)),
  );
}
