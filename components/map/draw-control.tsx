'use client';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { LonLat } from '@/lib/contract/area-polygon';
import { onDrawingRequest } from './draw-request';
import type { DrawSession } from './draw-session';
import { MapIcon } from './map-icon';
import type { Theme } from './palette';

/** What the control needs of the map's controller. */
export type DrawingMap = {
  readonly map: MapLibreMap;
  /** While true the pointer draws: nothing else on the map answers to it. */
  setDrawing(on: boolean): void;
};

type Doing = 'nothing' | 'drawing' | 'changing';

/** Draws, changes and takes away the area of the filter. */
export function DrawControl({
  target,
  polygon,
  theme,
  onPolygon,
}: {
  target: RefObject<DrawingMap | null>;
  polygon: LonLat[] | undefined;
  theme: Theme;
  onPolygon: (ring: LonLat[] | null) => void;
}) {
  const [doing, setDoing] = useState<Doing>('nothing');
  const [problem, setProblem] = useState<string | null>(null);
  const [ready, setReady] = useState(false);
  const session = useRef<DrawSession | null>(null);

  const end = () => {
    session.current?.stop();
    session.current = null;
    target.current?.setDrawing(false);
    setDoing('nothing');
    setReady(false);
    setProblem(null);
  };
  const take = ({ ring, problem: why }: { ring: LonLat[]; problem: string | null }) => {
    if (why) {
      setProblem(why);
      return;
    }
    end();
    onPolygon(ring);
  };
  const begin = async (what: 'drawing' | 'changing') => {
    const controller = target.current;
    if (!controller || session.current) return;
    setDoing(what);
    controller.setDrawing(true);
    const { DrawSession: Session } = await import('./draw-session');
    if (target.current !== controller) return;
    const made = new Session(controller.map, theme, (drawn) => {
      if (drawn.problem) made.begin();
      handlers.current.take(drawn);
    });
    session.current = made;
    if (what === 'drawing') made.begin();
    else if (!polygon || !made.edit(polygon)) {
      setProblem('the area is too large to be changed here: change its corners in the filter as text');
      return;
    }
    controller.map.getCanvas().focus();
    setReady(true);
  };
  const finish = () => {
    const edited = session.current?.edited();
    if (edited) take(edited);
  };
  const handlers = useRef({ begin, take, end, finish, doing });
  useEffect(() => {
    handlers.current = { begin, take, end, finish, doing };
  });
  useEffect(() => onDrawingRequest(() => handlers.current.begin('drawing')), []);
  useEffect(() => () => session.current?.stop(), []);
  // a map in another theme has another style, without what is being drawn
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is the signal, not an input
  useEffect(() => handlers.current.end(), [theme]);
  useEffect(() => {
    if (doing === 'nothing') return;
    // before the page's own keys: Esc ends the drawing, not what is open beside it
    const onKey = (event: KeyboardEvent) => {
      const isDone = event.key === 'Enter' && doing === 'changing' && event.target instanceof HTMLCanvasElement;
      if (event.key !== 'Escape' && !isDone) return;
      event.preventDefault();
      event.stopPropagation();
      if (isDone) handlers.current.finish();
      else handlers.current.end();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [doing]);

  if (doing === 'nothing')
    return (
      <>
        <button
          type="button"
          className="btn btn-s btn-icon"
          aria-label="Draw an area"
          title="Draw an area (d)"
          onClick={() => begin('drawing')}
        >
          <MapIcon name="lasso" />
        </button>
        {polygon && (
          <>
            <button type="button" className="btn btn-s" onClick={() => begin('changing')}>
              Change the area
            </button>
            <button type="button" className="btn btn-s" onClick={() => onPolygon(null)}>
              Remove it
            </button>
          </>
        )}
      </>
    );
  return (
    <fieldset className="draw-bar" aria-label="Drawing an area" data-ready={ready}>
      <span role="status" className={problem ? 'bad-t' : undefined}>
        {problem ??
          (doing === 'drawing'
            ? 'Click its corners; the first one again, or Enter, closes it.'
            : 'Drag corners and middles; a right click takes a corner away.')}
      </span>
      {doing === 'changing' && (
        <button type="button" className="btn btn-s btn-primary" onClick={finish}>
          Done
        </button>
      )}
      <button type="button" className="btn btn-s" onClick={end}>
        Cancel
      </button>
    </fieldset>
  );
}
