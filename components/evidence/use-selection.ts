'use client';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { FaultPlace } from './fault-place.model';
import type { Scene } from './scene.model';
import { vertexAt } from './scene-vertex.model';
import type { Target } from './use-source-view';

/** Which vertex and which candidate is in hand, for both panes and their tables. */
export type Selection = {
  /** The row that the vertex table marks. */
  vertex: number | null;
  /** The vertex that the panes mark: none while the fault's own mark shows the place. */
  marked: number | null;
  hovered: number | null;
  target: Target | null;
  candidate: number | null;
  /** Changes whenever the map is asked to go to a candidate. */
  go: object | null;
  setMarked: (vertex: number | null) => void;
  /** Chooses a vertex and goes there. */
  choose: (vertex: number) => void;
  setHovered: (vertex: number | null) => void;
  setCandidate: (index: number | null) => void;
  goTo: (index: number) => void;
};

export function useSelection(scene: Scene | null, fault: FaultPlace | undefined): Selection {
  const [{ vertex, by_fault }, setVertex] = useState<{ vertex: number | null; by_fault: boolean }>({
    vertex: null,
    by_fault: false,
  });
  const [hovered, setHovered] = useState<number | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const [candidate, setCandidate] = useState<number | null>(null);
  const [go, setGo] = useState<object | null>(null);
  useEffect(() => {
    if (fault?.at) setTarget({ at: fault.at, centre: false });
    if (fault && fault.vertex !== null) setVertex({ vertex: fault.vertex, by_fault: true });
  }, [fault]);
  const setMarked = useCallback((next: number | null) => setVertex({ vertex: next, by_fault: false }), []);
  const choose = useCallback(
    (next: number) => {
      setMarked(next);
      const at = scene && vertexAt(scene, next);
      if (at && Number.isFinite(at.x) && Number.isFinite(at.y)) setTarget({ at: [at.x, at.y], centre: true });
    },
    [scene, setMarked],
  );
  const goTo = useCallback((index: number) => {
    setCandidate(index);
    setGo({});
  }, []);
  return useMemo(
    () => ({
      vertex,
      marked: by_fault ? null : vertex,
      hovered,
      target,
      candidate,
      go,
      setMarked,
      choose,
      setHovered,
      setCandidate,
      goTo,
    }),
    [vertex, by_fault, hovered, target, candidate, go, setMarked, choose, goTo],
  );
}
