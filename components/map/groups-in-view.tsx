import { ClassMark } from '@/components/ui/class-mark';
import { symbolClass } from '@/components/ui/class-symbol';
import { distanceText } from '@/lib/crs/distance-words';
import type { GroupInView } from './triage-controller';

const SHOWN = 12;

const degrees = (value: number, positive: string, negative: string) =>
  `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;
const placeText = ([lon, lat]: [number, number]) => `${degrees(lat, 'N', 'S')} ${degrees(lon, 'E', 'W')}`;

/** Says in words what the map shows: how many in how many groups, and where the three largest are. */
export function viewSummary(groups: readonly GroupInView[], zoom: number): string {
  if (groups.length === 0)
    return zoom >= 12 ? 'No stacked entries in this view; entries are drawn singly.' : 'No entry in this view.';
  const total = groups.reduce((sum, group) => sum + group.total, 0).toLocaleString('en-GB');
  const largest = groups
    .slice(0, 3)
    .map((group) => {
      const main = group.counts[0];
      const word = main ? `, mostly ${main.failure_class}` : '';
      return `${group.total.toLocaleString('en-GB')} at ${placeText(group.position)}${word}`;
    })
    .join('; ');
  return `${total} entries in ${groups.length.toLocaleString('en-GB')} groups in this view. Largest: ${largest}.`;
}

/** The cells in view as a list, largest first: the map for those who do not use the pointer. */
export function GroupsInView({
  groups,
  cellMetres,
  onGo,
}: {
  groups: readonly GroupInView[];
  /** Side of a cell on the ground, for the heading. */
  cellMetres: number;
  onGo(group: GroupInView): void;
}) {
  if (groups.length === 0) return <p className="cap">No cells in view.</p>;
  return (
    <>
      <p className="cap">
        {groups.length > SHOWN ? `The ${SHOWN} largest of ${groups.length}` : 'Cells in view'}, about{' '}
        {distanceText(cellMetres)} wide
      </p>
      <ul className="cells-list">
        {groups.slice(0, SHOWN).map((group) => (
          <li key={`${group.position.join()} ${group.total}`}>
            <button type="button" onClick={() => onGo(group)}>
              <ClassMark failure_class={symbolClass(group.counts[0]?.failure_class ?? 'unknown')} label />
              <span className="mono">{placeText(group.position)}</span>
              <b className="num">{group.total.toLocaleString('en-GB')}</b>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
