'use client';

import 'maplibre-gl/dist/maplibre-gl.css';
import { useId, useMemo, useRef, useState } from 'react';
import type { LinkedCursor } from '@/components/evidence/linked-cursor';
import type { LonLat } from '@/lib/crs/sphere';
import { ghostShape } from './evidence-features';
import { isPolar } from './evidence-globe';
import { EvidenceInset } from './evidence-inset';
import { evidenceSentence } from './evidence-sentence';
import { type EvidenceInput, evidenceView } from './evidence-view';
import type { Theme } from './palette';
import { unmappableWords } from './unmappable-words';
import { type Extent, useEvidenceMap } from './use-evidence-map';

/** Of latitude. */
const WIDEST_ON_GLOBE_DEG = 60;

export type EvidenceMapProps = EvidenceInput & {
  theme: Theme;
  /** The candidate in hand as the database places it; `leads` fills it. */
  ghost: { reprojected_wkb: string | null; leads: boolean } | null;
  go: object | null;
  /** The chosen vertex, lon,lat. */
  focus: LonLat | null;
  cursor: LinkedCursor;
};

/** "On the map": one entry as the database reprojected it. Client only: load it with `ssr: false`. */
export default function EvidenceMap({ theme, ghost, go, focus, cursor, ...input }: EvidenceMapProps) {
  const { evidence, reading, source, toLonLat, failure_class, tile, distance_m, faults, area_of_use } = input;
  const container = useRef<HTMLDivElement>(null);
  const [{ extent, asked }, setShown] = useState<{ extent: Extent; asked: number }>({ extent: 'overview', asked: 0 });
  const show = (next: Extent) => setShown(({ asked }) => ({ extent: next, asked: asked + 1 }));
  const describedBy = useId();
  const view = useMemo(
    () =>
      evidenceView({
        evidence,
        reading,
        source,
        ...(toLonLat ? { toLonLat } : {}),
        failure_class,
        tile,
        faults,
        area_of_use,
      }),
    [evidence, reading, source, toLonLat, failure_class, tile, faults, area_of_use],
  );
  const polar = isPolar(view.close_up, view.shape?.encloses_pole ?? null);
  // a tile or a candidate far from the pole would lie behind the globe
  const far = !view.shape?.encloses_pole && (view.overview?.[3] ?? 0) - (view.overview?.[1] ?? 0) > WIDEST_ON_GLOBE_DEG;
  const [flattened, setFlat] = useState<boolean | null>(null);
  const flat = flattened ?? (far && extent === 'overview');
  const globe = polar && !flat;
  const drawable = view.landing !== null || evidence.candidates.length > 0 || tile !== null;
  const ghost_wkb = ghost?.reprojected_wkb ?? null;
  const leads = ghost?.leads ?? false;
  const ghost_shape = useMemo(() => ghostShape(ghost_wkb, leads, view.landing), [ghost_wkb, leads, view.landing]);
  const full = { ...input, distance_m: distance_m ?? null };
  useEvidenceMap({
    container,
    drawable,
    describedBy,
    theme,
    globe,
    view,
    input: full,
    extent,
    asked,
    ghost: ghost_shape,
    go,
    focus,
    cursor,
  });

  const pole = view.shape?.encloses_pole;
  const why = unmappableWords(evidence.unmappable_reason);
  return (
    <figure className="pane">
      <figcaption>
        <b>On the map</b>
        {view.landing !== null && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay out as the segments do
          <span className="seg" role="group" aria-label="Extent">
            <button type="button" aria-pressed={extent === 'overview'} onClick={() => show('overview')}>
              Overview
            </button>
            <button type="button" aria-pressed={extent === 'close_up'} onClick={() => show('close_up')}>
              Close-up
            </button>
          </span>
        )}
      </figcaption>
      <div className="pane-c map-c">
        <p id={describedBy} className="sr">
          {evidenceSentence(view, full)}
        </p>
        {drawable ? (
          <div ref={container} className="map-gl" />
        ) : (
          <div className="map-words">
            <b className="strong">Not on the map</b>
            <span className="dim">{why}</span>
            {evidence.reproject_error && <span className="mono faint">{evidence.reproject_error}</span>}
          </div>
        )}
        {drawable && view.landing === null && (
          <p className="cap map-said" title={why}>
            <b>
              {evidence.unmappable_reason === 'no_geometry' ? 'No geometry: its tile.' : 'Not on the map as claimed.'}
            </b>{' '}
            <span className="sr">{why}</span>
          </p>
        )}
        {pole && <p className="cap map-said">Goes round the {pole} pole; closed over it to be filled.</p>}
        {polar && (
          <button
            type="button"
            className="btn btn-s map-globe"
            aria-pressed={globe}
            title="Beyond 80° a flat map stretches and ends"
            onClick={() => setFlat(!flat)}
          >
            Globe
          </button>
        )}
        {extent === 'overview' && <EvidenceInset view={view} input={full} onOpen={() => show('close_up')} />}
        {drawable && (
          <span className="map-credit">
            Natural Earth, <a href="https://www.geonames.org/">GeoNames</a>
          </span>
        )}
      </div>
    </figure>
  );
}
