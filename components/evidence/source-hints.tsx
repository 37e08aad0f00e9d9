import { Icon } from '@/components/ui/icon';
import type { PaneHint } from './pane-hint.model';

/** What lies outside the pane and matters, with the way there; a click shows it together with the shape. */
export function SourceHints({ hints, onShow }: { hints: readonly PaneHint[]; onShow: (hint: PaneHint) => void }) {
  if (hints.length === 0) return null;
  return (
    <div className="src-hints">
      {hints.map((hint) => (
        <button
          key={hint.about}
          type="button"
          className={`edge edge-${hint.about}`}
          title={`${hint.title}; show it together with the shape`}
          onClick={() => onShow(hint)}
        >
          <span style={{ rotate: `${hint.turn - 90}deg` }}>
            <Icon name="arrow-down" small />
          </span>
          {hint.text}
        </button>
      ))}
    </div>
  );
}
