'use client';

import 'maplibre-gl/dist/maplibre-gl.css';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { evidenceSentence } from './evidence-sentence';
import { EVIDENCE_SOURCES } from './evidence-style';
import {
  areaFeatures,
  candidateFeatures,
  type EvidenceInput,
  evidenceLanding,
  evidenceView,
  faultFeatures,
} from './evidence-view';
import { arrowZoom, tileBoxZoom } from './landing';
import { ARROW_LAYERS, TILE_BOX_LAYERS } from './landing-style';
import { MapController } from './map-controller';
import type { Theme } from './palette';
import { evidenceStyle } from './style';
import { unmappableWords } from './unmappable-words';

/** Close up, a single point is shown at this zoom, where a tile of z 14 fills the pane. */
const CLOSEST = 19;

/** "On the map": one entry as the database reprojected it. Client only: load it with `ssr: false`. */
export default function EvidenceMap(props: EvidenceInput & { theme: Theme }) {
  const { evidence, failure_class, tile, distance_m, faults, current_fault, area_of_use, theme } = props;
  const container = useRef<HTMLDivElement>(null);
  const controller = useRef<MapController>(null);
  const [close, setClose] = useState(false);
  const sentenceId = useId();
  const view = useMemo(
    () => evidenceView({ evidence, failure_class, tile, distance_m, faults, area_of_use }),
    [evidence, failure_class, tile, distance_m, faults, area_of_use],
  );
  const input = { evidence, failure_class, tile, distance_m, faults, current_fault, area_of_use };
  const drawable = view.landing !== null;
  const firstTheme = useRef(theme);

  useEffect(() => {
    if (!container.current || !drawable) return;
    const made = new MapController({
      container: container.current,
      theme: firstTheme.current,
      style: evidenceStyle,
      label: 'Map of this entry',
      describedBy: sentenceId,
    });
    controller.current = made;
    return () => {
      controller.current = null;
      made.remove();
    };
  }, [drawable, sentenceId]);
  useEffect(() => {
    firstTheme.current = theme;
    controller.current?.setTheme(theme);
  }, [theme]);
  useEffect(() => {
    const map = controller.current;
    if (!map || !view.shape) return;
    map.setData(EVIDENCE_SOURCES.shape, view.shape.features);
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
    const shown = close ? faultFeatures(view, faults, current_fault) : faultFeatures(view, [], null);
    controller.current?.setData(EVIDENCE_SOURCES.faults, shown);
  }, [view, faults, current_fault, close]);
  useEffect(() => {
    const bounds = close ? view.close_up : view.overview;
    if (bounds) controller.current?.fit(bounds, close ? CLOSEST : 9, close ? 24 : 32);
  }, [view, close]);

  const pole = view.shape?.encloses_pole;
  return (
    <figure className="pane">
      <figcaption>
        <b>On the map</b>
        {drawable && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as the segments do
          <span className="seg" role="group" aria-label="Extent">
            <button type="button" aria-pressed={!close} onClick={() => setClose(false)}>
              Overview
            </button>
            <button type="button" aria-pressed={close} onClick={() => setClose(true)}>
              Close-up
            </button>
          </span>
        )}
      </figcaption>
      <div className="pane-c map-c">
        <p id={sentenceId} className="sr">
          {evidenceSentence(view, input)}
        </p>
        {drawable ? (
          <div ref={container} className="map-gl" />
        ) : (
          <div className="map-words">
            <b className="strong">Not on the map</b>
            <span className="dim">{unmappableWords(evidence.unmappable_reason)}</span>
            {evidence.reproject_error && <span className="mono faint">{evidence.reproject_error}</span>}
          </div>
        )}
        {pole && <span className="cap map-said">Goes round the {pole} pole; closed over it to be filled.</span>}
        {drawable && (
          <span className="map-credit">
            Natural Earth, <a href="https://www.geonames.org/">GeoNames</a>
          </span>
        )}
      </div>
    </figure>
  );
}
