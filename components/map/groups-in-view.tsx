import { ClassMark } from '@/components/ui/class-mark';
import { SYMBOL_CLASSES, type SymbolClass, symbolClass } from '@/components/ui/class-symbol';
import { distanceText } from '@/lib/crs/distance-words';
import { shareText } from './hovered';
import { MapIcon } from './map-icon';
import type { GroupInView } from './screen-groups';

const SHOWN = 12;

const degrees = (value: number, positive: string, negative: string) =>
  `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;
const placeText = ([lon, lat]: [number, number]) => `${degrees(lat, 'N', 'S')} ${degrees(lon, 'E', 'W')}`;

/** The classes of the groups, in the order of the vocabulary. */
export function classesOf(groups: readonly GroupInView[]): SymbolClass[] {
  const there = new Set(groups.flatMap(({ counts }) => counts.map(({ failure_class }) => failure_class)));
  return SYMBOL_CLASSES.filter((name) => there.has(name));
}

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

/** A group's classes with their shares, and what came back of it. */
function mixText({ counts, total, reopened }: GroupInView): string {
  const mix = counts.map(({ failure_class, count }) => `${failure_class} ${shareText(count, total)}`);
  return [...mix, ...(reopened > 0 ? [`${reopened.toLocaleString('en-GB')} came back`] : [])].join(', ');
}

/** The cells in view as a list, largest first: the map for those who do not use the pointer. */
export function GroupsInView({
  groups,
  cellMetres,
  onGo,
  onFilter,
}: {
  groups: readonly GroupInView[];
  /** Side of a cell on the ground, for the heading. */
  cellMetres: number;
  /** Goes a step closer. */
  onGo(group: GroupInView): void;
  onFilter(group: GroupInView): void;
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
            <button type="button" className="cell-go" title={mixText(group)} onClick={() => onGo(group)}>
              <ClassMark failure_class={symbolClass(group.counts[0]?.failure_class ?? 'unknown')} />
              <span className="mono">{placeText(group.position)}</span>
              <b className="num">{group.total.toLocaleString('en-GB')}</b>
              <span className="num share" aria-hidden="true">
                {shareText(group.counts[0]?.count ?? 0, group.total)}
              </span>
              <span className="sr">{mixText(group)}</span>
            </button>
            <button
              type="button"
              className="cell-filter"
              aria-label={`Filter to ${placeText(group.position)}`}
              title="Filter to it"
              onClick={() => onFilter(group)}
            >
              <MapIcon name="view" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
