'use client';
import type { Entry, Evidence, Payload } from '@/lib/contract/entry';
import type { FaultPlace } from './fault-place.model';
import { HexHead } from './hex-head';
import { sentence } from './known.model';
import { RasterWindow } from './raster-window';
import { SourceCanvas, type SourceCanvasProps } from './source-canvas';
import { sourceSentence } from './source-sentence.model';
import { readAsText } from './unit-words.model';
import type { SceneState } from './use-scene';

type Props = Pick<
  SourceCanvasProps,
  | 'current_fault'
  | 'selected'
  | 'hovered'
  | 'target'
  | 'area_of_use'
  | 'area_distance'
  | 'ghost'
  | 'cursor'
  | 'onFault'
  | 'onSelect'
  | 'onHover'
> & {
  entry: Entry;
  evidence: Evidence;
  state: SceneState;
  places: readonly FaultPlace[];
  /** What the candidate in hand makes of the numbers; null where none is in hand. */
  note: string | null;
};

/** The evidence itself: the geometry in its own units, or what there is instead of one. */
export function SourcePane({ entry, evidence, state, places, note, ...canvas }: Props) {
  const { src_crs } = entry.payload;
  const { claim } = evidence;
  return (
    <figure className="pane">
      <figcaption>
        <b>Source, as stored</b>
        <span
          className={`cap trunc${note === null ? '' : ' ghost-t'}`}
          title={note ?? (claim ? `claims ${claim.id} ${claim.name}` : (src_crs ?? undefined))}
        >
          {note ?? readAsText(claim, src_crs)}
        </span>
      </figcaption>
      <div className="pane-c">
        <Content entry={entry} evidence={evidence} state={state} places={places} {...canvas} />
      </div>
    </figure>
  );
}

function Content({ entry, evidence, state, places, ...canvas }: Omit<Props, 'note'>) {
  const { payload } = entry;
  if (state.status === 'reading')
    return (
      <p className="pane-words after-150" role="status">
        Reading the geometry
      </p>
    );
  if (state.status === 'ready') {
    const { scene, bytes } = state;
    const { error } = scene;
    if (scene.bbox)
      return (
        <>
          <SourceCanvas scene={scene} places={places} sentence={sourceSentence(scene, places)} {...canvas} />
          {error && <p className="src-cut cap">drawn as far as it can be read</p>}
        </>
      );
    if (error) return <HexHead bytes={bytes} error={error} />;
    if (scene.vertex_count === 0)
      return (
        <Words
          strong={`${scene.type_name ?? 'The geometry'} without a vertex.`}
          rest="It is empty: there is nothing to draw."
        />
      );
    return (
      <Words
        strong="No vertex is a finite number."
        rest="Nothing can be drawn; the table below has every vertex as stored."
      />
    );
  }
  if (state.status === 'failed')
    return (
      <div className="pane-words" role="alert">
        <b className="strong">The geometry could not be loaded.</b>
        <span className="dim">{state.error.message}</span>
        <button type="button" className="btn btn-s" onClick={state.retry}>
          Try now
        </button>
      </div>
    );
  if (evidence.geom_omitted) return <Words strong={omittedBecause(payload)} rest={sentence(evidence.geom_omitted)} />;
  if (evidence.unmappable_reason === 'sensitive')
    return <Words strong="Masked for your role." rest="An operator sees the geometry." />;
  if (payload.geom_given)
    return (
      <div className="pane-words given">
        <b className="strong">Given as {payload.geom_format ?? 'text'}, not readable</b>
        {payload.geom_error && <span className="dim">{payload.geom_error}</span>}
        <code className="mono">{payload.geom_given.slice(0, 600)}</code>
      </div>
    );
  if (payload.source_window || payload.source_uris?.length) return <RasterWindow payload={payload} />;
  return <Words strong="No geometry was captured." rest="The task named no raster window either." />;
}

function omittedBecause({ payload_ref, geom_bytes, blob_bytes }: Payload): string {
  if (payload_ref === null || geom_bytes !== null) return 'The geometry is not in this answer.';
  return blob_bytes === null ? 'Its blob is missing.' : 'Kept in the blob store.';
}

function Words({ strong, rest }: { strong: string; rest: string }) {
  return (
    <p className="pane-words">
      <b className="strong">{strong}</b>
      <span className="dim">{rest}</span>
    </p>
  );
}
