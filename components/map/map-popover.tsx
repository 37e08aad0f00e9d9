import { ClassMark } from '@/components/ui/class-mark';
import { type Hovered, shareText } from './hovered';

const WIDTH = 250;
const GAP = 14;

/** What lies under the pointer; it takes no pointer itself, and stands on the side where the map has room. */
export function MapPopover({ hovered, width, height }: { hovered: Hovered; width: number; height: number }) {
  const left = hovered.x + GAP + WIDTH > width ? Math.max(4, hovered.x - GAP - WIDTH) : hovered.x + GAP;
  const upwards = hovered.y > height / 2;
  const place = { left, width: WIDTH, ...(upwards ? { bottom: height - hovered.y + GAP } : { top: hovered.y + GAP }) };
  return (
    <div className="pop map-pop" style={place} role="status">
      {hovered.kind === 'group' ? (
        <>
          <p className="pop-h">
            <b>
              {hovered.total.toLocaleString('en-GB')} {hovered.total === 1 ? 'entry' : 'entries'}
            </b>
            <span className="cap">
              {hovered.cell ? `cell ${hovered.cell.z}/${hovered.cell.x}/${hovered.cell.y}` : 'at one place'}
            </span>
          </p>
          {hovered.counts.map(({ failure_class, count }) => (
            <p key={failure_class} className="pop-r">
              <ClassMark failure_class={failure_class} />
              <span>{failure_class === 'other' ? 'other word' : failure_class}</span>
              <b className="num">{count.toLocaleString('en-GB')}</b>
              <span className="num share">{shareText(count, hovered.total)}</span>
            </p>
          ))}
          <p className="cap">
            {hovered.reopened > 0 && `${hovered.reopened.toLocaleString('en-GB')} came back. `}
            Click zooms, Shift-click filters.
          </p>
        </>
      ) : (
        <>
          <p className="pop-r">
            <ClassMark failure_class={hovered.failure_class} />
            <b>{hovered.failure_class}</b>
            <span className="cap num">entry {hovered.id}</span>
          </p>
          <p className="cap">
            {[hovered.state, hovered.reopened ? 'came back' : null].filter(Boolean).join(', ')}
            {hovered.state || hovered.reopened ? '. ' : ''}Click opens it.
          </p>
        </>
      )}
    </div>
  );
}
