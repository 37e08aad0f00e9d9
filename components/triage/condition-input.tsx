'use client';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { countText } from '@/components/ui/number-text';
import type { Filter } from '@/lib/contract/filter';
import { type CountedFields, type Suggestion, suggestionsFor } from './suggestion.model';
import { parseTyped } from './typed-condition.model';

export const CONDITION_INPUT_ID = 'add-condition';

/** Typed conditions with completions. Words that can be read become chips; the others stay here, marked, and say why. */
export function ConditionInput({
  facets,
  now,
  empty,
  onApply,
  onRemoveLast,
}: {
  facets: CountedFields | null;
  /** The moment that `since:7d` counts back from; null before the first answer. */
  now: string | null;
  /** There are no chips yet. */
  empty: boolean;
  onApply: (changes: ((filter: Filter) => Filter)[]) => void;
  onRemoveLast: () => void;
}) {
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const caretAfter = useRef<number | null>(null);
  const listId = useId();
  const suggestions = useMemo(() => suggestionsFor(text, caret, facets), [text, caret, facets]);
  const current = open ? suggestions[active] : undefined;

  useEffect(() => {
    if (caretAfter.current === null) return;
    input.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });

  const write = (next: string, at: number) => {
    setText(next);
    setCaret(at);
    setActive(-1);
    setProblem(null);
  };
  const commit = (typed: string) => {
    const words = parseTyped(typed, now ?? Date.now());
    const wrong = words.filter((word) => word.problem !== null);
    const changes = words.flatMap((word) => (word.apply ? [word.apply] : []));
    if (changes.length > 0) onApply(changes);
    const left = wrong.map((word) => word.text).join(' ');
    write(left, left.length);
    setProblem(wrong[0]?.problem ?? null);
    setOpen(false);
  };
  const choose = (suggestion: Suggestion) => {
    const next = text.slice(0, suggestion.from) + suggestion.insert + text.slice(suggestion.to);
    if (suggestion.commits) commit(next);
    else {
      caretAfter.current = suggestion.from + suggestion.insert.length;
      write(next, caretAfter.current);
      setOpen(true);
    }
    input.current?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((at) => Math.max(-1, Math.min(suggestions.length - 1, at + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (current) choose(current);
      else commit(text);
    } else if (event.key === 'Tab' && open && text !== '' && suggestions[0] && !event.shiftKey) {
      event.preventDefault();
      choose(current ?? suggestions[0]);
    } else if (event.key === 'Escape') {
      if (open || problem || text) event.stopPropagation();
      if (open) setOpen(false);
      else if (problem || text) write('', 0);
      else input.current?.blur();
    } else if (event.key === 'Backspace' && text === '') onRemoveLast();
  };
  const place = (element: HTMLInputElement) => setCaret(element.selectionStart ?? element.value.length);
  return (
    <div className="qin-box">
      <input
        ref={input}
        id={CONDITION_INPUT_ID}
        className="qin"
        role="combobox"
        aria-label="Add a condition"
        aria-expanded={open && suggestions.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current ? `${listId}-${active}` : undefined}
        aria-invalid={problem !== null}
        aria-describedby={problem ? `${listId}-problem` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={
          empty
            ? 'Add a condition: class:, fault:, task:, state:, since:7d, crs:, key:, or a value; ! excludes'
            : 'Add a condition'
        }
        value={text}
        onChange={(event) => {
          write(event.target.value, event.target.selectionStart ?? event.target.value.length);
          setOpen(true);
        }}
        onSelect={(event) => place(event.currentTarget)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {problem && (
        <div className="qin-pop" id={`${listId}-problem`} role="alert">
          <p className="bad-t">{problem}</p>
        </div>
      )}
      {open && !problem && suggestions.length > 0 && (
        // a press must not take the focus from the field before the click is done
        <div
          className="qin-pop"
          role="listbox"
          id={listId}
          aria-label="Conditions"
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
        >
          {suggestions.map((suggestion, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field's own keys move through and choose the options
            <div
              key={suggestion.key}
              id={`${listId}-${i}`}
              className="menu-item"
              role="option"
              aria-selected={i === active}
              tabIndex={-1}
              onClick={() => choose(suggestion)}
            >
              {suggestion.kind && <span className="kind">{suggestion.kind}</span>}
              <span className="trunc">{suggestion.label}</span>
              {suggestion.count !== null && <span className="num">{countText(suggestion.count)}</span>}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
