import { coordinateText } from './number-text.model';
import type { Scene } from './scene.model';
import { pathWords, vertexAt } from './scene-vertex.model';

/** The vertex under the pointer, over the pane's lower edge. The table says the same to who cannot see it. */
export function VertexWords({ scene, vertex }: { scene: Scene; vertex: number }) {
  const at = vertexAt(scene, vertex);
  if (!at) return null;
  return (
    <p className="src-at mono" aria-hidden>
      {pathWords(scene, at.path)} <b>{coordinateText(at.x, 13)}</b> <b>{coordinateText(at.y, 13)}</b>
      {at.z !== null && <> z {coordinateText(at.z, 10)}</>}
      {at.m !== null && <> m {coordinateText(at.m, 10)}</>}
    </p>
  );
}
