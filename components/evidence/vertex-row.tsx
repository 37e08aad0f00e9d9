import type { FaultPlace } from './fault-place.model';
import { exactCoordinate } from './number-text.model';
import type { Scene } from './scene.model';
import { pathWords, rowPath, vertexAt } from './scene-vertex.model';

const BADGES = 3;

type RowProps = {
  scene: Scene;
  places: readonly FaultPlace[];
  onSelect: (vertex: number) => void;
  onHover: (vertex: number | null) => void;
  vertex: number;
  selected: boolean;
  hovered: boolean;
  faults: readonly number[];
};

/** One vertex as stored, with the faults that are about it. */
export function VertexRow({ scene, places, vertex, selected, hovered, faults, onSelect, onHover }: RowProps) {
  const at = vertexAt(scene, vertex);
  if (!at) return null;
  const path = rowPath(scene, at.row);
  const part = path.length === 0 ? '' : pathWords(scene, path);
  const finite = Number.isFinite(at.x) && Number.isFinite(at.y);
  return (
    <tr
      id={`vertex-${vertex}`}
      aria-rowindex={vertex + 2}
      aria-selected={selected}
      className={`${hovered ? 'is-hovered' : ''}${finite ? '' : ' not-finite'}`}
      onClick={() => onSelect(vertex)}
      onMouseEnter={() => onHover(vertex)}
    >
      <td className="num">{vertex}</td>
      <td className="dim" title={pathWords(scene, at.path)}>
        {part}
      </td>
      <td>
        {faults.slice(0, BADGES).map((i) => (
          <span key={i} className={`badge badge-fault${places[i]?.fault.severity === 'note' ? ' note-only' : ''}`}>
            {i + 1}
          </span>
        ))}
        {!finite && faults.length === 0 && <span className="bad-t">not finite</span>}
      </td>
      <Value value={at.x} />
      <Value value={at.y} />
      {scene.has_z && <Value value={at.z} />}
      {scene.has_m && <Value value={at.m} />}
    </tr>
  );
}

function Value({ value }: { value: number | null }) {
  if (value === null) return <td className="num none">–</td>;
  const text = exactCoordinate(value);
  return (
    <td className={`num mono${Number.isFinite(value) ? '' : ' bad-t'}`} title={text}>
      {text}
    </td>
  );
}
