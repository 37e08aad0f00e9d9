'use client';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Filter } from '@/lib/contract/filter';
import { type CountedFields, type Suggestion, spotAt, suggestionsFor } from './suggest.model';
import { useRemote } from './use-remote';

type Field = HTMLInputElement | HTMLTextAreaElement;

/**
 * A field whose text is completed: its text and caret, the completions of the word at the caret, and the keys that move
 * through them. `onChosen` gets the text with the completion in it.
 */
export function useCompletion(
  filter: Filter,
  facets: CountedFields | null,
  onChosen: (text: string, chosen: Suggestion) => boolean,
) {
  const [text, setText] = useState('');
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const field = useRef<Field>(null);
  const caretAfter = useRef<number | null>(null);
  const listId = useId();
  const spot = useMemo(() => spotAt(text, caret), [text, caret]);
  const remote = useRemote(spot, open, filter);
  const suggestions = useMemo(() => suggestionsFor(spot, facets, remote), [spot, facets, remote]);
  const isOpen = open && suggestions.length > 0;
  const current = isOpen ? suggestions[active] : undefined;

  useEffect(() => {
    if (caretAfter.current === null) return;
    field.current?.setSelectionRange(caretAfter.current, caretAfter.current);
    caretAfter.current = null;
  });

  /** Puts a text in and the caret at its end, or where it is said. */
  const write = (next: string, at = next.length) => {
    setText(next);
    setCaret(at);
    setActive(-1);
    caretAfter.current = at;
  };
  const choose = (suggestion: Suggestion) => {
    const next = text.slice(0, suggestion.from) + suggestion.insert + text.slice(suggestion.to);
    field.current?.focus();
    if (suggestion.commits && onChosen(next, suggestion)) return;
    const space = suggestion.commits && suggestion.to === text.length ? ' ' : '';
    write(next + space, suggestion.from + suggestion.insert.length + space.length);
    setOpen(true);
  };
  /** Whether the key was for the completions. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen && (event.key === 'ArrowUp' || suggestions.length === 0)) return false;
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((at) => Math.max(-1, Math.min(suggestions.length - 1, at + step)));
    } else if (event.key === 'Enter' && current) choose(current);
    else if (event.key === 'Tab' && isOpen && text !== '' && suggestions[0] && !event.shiftKey)
      choose(current ?? suggestions[0]);
    else if (event.key === 'Escape' && isOpen) {
      setOpen(false);
      setActive(-1);
      event.stopPropagation();
    } else return false;
    event.preventDefault();
    return true;
  };
  const props = {
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-activedescendant': current ? `${listId}-${active}` : undefined,
    autoComplete: 'off',
    spellCheck: false,
    value: text,
    onChange: (event: { target: Field }) => {
      setText(event.target.value);
      setCaret(event.target.selectionStart ?? event.target.value.length);
      setActive(-1);
      setOpen(true);
    },
    onSelect: ({ currentTarget }: { currentTarget: Field }) =>
      setCaret(currentTarget.selectionStart ?? currentTarget.value.length),
    onBlur: () => setOpen(false),
  } as const;
  return { text, caret, write, field, listId, suggestions, isOpen, active, setOpen, choose, onKey, props };
}
