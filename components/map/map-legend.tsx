import { useId } from 'react';
import { ClassMark } from '@/components/ui/class-mark';
import { SYMBOL_CLASSES, type SymbolClass } from '@/components/ui/class-symbol';
import { useDisplay } from '@/components/ui/display';
import { CELL_SIDES, RING_RADIUS } from './cell-image';
import { MapIcon } from './map-icon';

const GAP = 4;

/** The sizes of the squares, as drawn: 1, 3, 10, 30, 100 and more. */
function Sizes() {
  let x = 0;
  const squares = CELL_SIDES.map(({ side }) => {
    const left = x;
    x += side + GAP;
    return <rect key={side} className="lg" x={left} y={8 - side / 2} width={side} height={side} rx="1" />;
  });
  return (
    <svg width={x - GAP} height="16" aria-hidden="true" focusable="false">
      {squares}
    </svg>
  );
}

/** What the map's signs mean; folded away it stays so. */
export function MapLegend({
  closer,
  classes,
  displacement = false,
  roomy,
}: {
  /** From zoom 12, where single entries are drawn. */
  closer: boolean;
  /** Those in view; none are all of them. */
  classes: readonly SymbolClass[];
  /** Whether the layer of displacement is on. */
  displacement?: boolean;
  /** There is room for it, so that it is unfolded at first. */
  roomy: boolean;
}) {
  const { legend, change } = useDisplay();
  const open = legend ?? roomy;
  const id = useId();
  return (
    <div className="legend">
      {open && (
        <dl id={id} aria-label="Legend">
          {!closer && (
            <>
              <div>
                <dt>
                  <Sizes />
                </dt>
                <dd>1 to 100+</dd>
              </div>
              <div>
                <dt>
                  <svg width="15" height="16" aria-hidden="true" focusable="false">
                    <rect className="k-geom" y="5.5" width="15" height="10" />
                    <rect className="k-unk" y="0.5" width="15" height="5" />
                  </svg>
                </dt>
                <dd>share by class</dd>
              </div>
            </>
          )}
          <div>
            <dt>
              <svg width="10" height="16" aria-hidden="true" focusable="false">
                <circle className="reg" cx="5" cy="8" r={RING_RADIUS} />
              </svg>
            </dt>
            <dd>came back</dd>
          </div>
          {displacement && (
            <div>
              <dt>
                <svg width="28" height="16" aria-hidden="true" focusable="false">
                  <path className="way" d="M1 8h26M21 4l6 4-6 4" />
                </svg>
              </dt>
              <dd>from landing to tile</dd>
            </div>
          )}
          {(closer || classes.length === 0 ? SYMBOL_CLASSES : classes).map((name) => (
            <div key={name}>
              <dt>
                <ClassMark failure_class={name} />
              </dt>
              <dd>{name === 'other' ? 'other word' : name}</dd>
            </div>
          ))}
        </dl>
      )}
      <button
        type="button"
        className="legend-fold"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label="Legend"
        title={open ? 'Fold the legend away' : 'Show the legend'}
        onClick={() => change({ legend: !open })}
      >
        {open ? <MapIcon name="minus" /> : 'Legend'}
      </button>
    </div>
  );
}
