import { ClassMark } from '@/components/ui/class-mark';
import { Icon } from '@/components/ui/icon';
import { countText } from '@/components/ui/number-text';
import type { Entry, Evidence } from '@/lib/contract/entry';
import type { FaultPlace } from './fault-place.model';
import type { Scene } from './scene.model';
import type { CursorLinkState } from './use-linked-cursor';

/** What the marks of both panes mean, what has no place in them, and whether their cursors are linked. */
export function PaneKey({
  entry,
  evidence,
  places,
  scene,
  link,
  note,
  onFault,
}: {
  entry: Entry;
  evidence: Evidence;
  places: readonly FaultPlace[];
  scene: Scene | null;
  link: CursorLinkState;
  /** What the map says of the candidate in hand, or null. */
  note: string | null;
  onFault: (index: number) => void;
}) {
  const { tile_z, tile_x, tile_y } = entry.payload;
  const unplaced = places.map((place, i) => ({ place, i })).filter(({ place }) => place.at === null);
  const non_finite = scene?.non_finite_count ?? 0;
  return (
    <ul className="pane-key cap">
      {evidence.mappable && (
        <li>
          <ClassMark failure_class={entry.failure_class} />
          as claimed
        </li>
      )}
      {tile_z !== null && (
        <li>
          <svg width="10" height="10" aria-hidden="true">
            <rect className="tilebox" x="1" y="1" width="8" height="8" />
          </svg>
          tile {tile_z}/{tile_x}/{tile_y}
        </li>
      )}
      {(evidence.area_of_use || evidence.area_of_use_source) && (
        <li title={evidence.claim?.area_name ?? undefined}>
          <svg width="14" height="10" aria-hidden="true">
            <rect className="aou" x="1" y="1" width="12" height="8" />
          </svg>
          area of use
        </li>
      )}
      {scene && places.some(({ fault }) => fault.code === 'curve') && (
        <li>source: arcs drawn straight from vertex to vertex</li>
      )}
      {non_finite > 0 && (
        <li className="bad-t">
          {non_finite === 1
            ? '1 vertex is not finite and not drawn'
            : `${countText(non_finite)} vertices are not finite and not drawn`}
        </li>
      )}
      {unplaced.length > 0 && (
        <li>
          no place in the pane:
          {unplaced.slice(0, 6).map(({ place, i }) => (
            <button
              key={i}
              type="button"
              className={`badge badge-fault${place.fault.severity === 'note' ? ' note-only' : ''}`}
              title={place.fault.code}
              aria-label={`Fault ${i + 1}, ${place.fault.code}`}
              onClick={() => onFault(i)}
            >
              {i + 1}
            </button>
          ))}
          {unplaced.length > 6 && ` and ${unplaced.length - 6} more`}
        </li>
      )}
      {note && <li className="note-c">{note}</li>}
      {scene?.bbox && (
        <li className={`end trunc${link.linked ? ' linked' : ''}`} title={link.title}>
          <Icon name="link" small />
          {link.words}
        </li>
      )}
    </ul>
  );
}
