'use client';
import { countText } from '@/components/ui/number-text';
import type { Suggestion } from './suggest.model';

/** The completions under a field. The field's own keys move through them and choose. */
export function SuggestionList({
  id,
  suggestions,
  active,
  onChoose,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  onChoose: (suggestion: Suggestion) => void;
}) {
  return (
    // a press must not take the focus from the field before the click is done
    <div
      className="qin-pop"
      role="listbox"
      id={id}
      aria-label="Conditions"
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field's own keys move through and choose the options
        <div
          key={suggestion.key}
          id={`${id}-${i}`}
          className="menu-item"
          role="option"
          aria-selected={i === active}
          tabIndex={-1}
          onClick={() => onChoose(suggestion)}
        >
          {suggestion.kind && <span className="kind">{suggestion.kind}</span>}
          <span className="trunc">{suggestion.label}</span>
          {suggestion.count !== null && <span className="num">{countText(suggestion.count)}</span>}
        </div>
      ))}
    </div>
  );
}
