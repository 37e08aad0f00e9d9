'use client';
import { useEffect, useRef, useState } from 'react';
import type { Filter } from '@/lib/contract/filter';
import type { Condition } from '../condition.model';
import { mergeFilter } from './merge-filter.model';
import { QueryProblems } from './query-problems';
import { queryText, type ReadWord, readQuery } from './query-text.model';
import type { CountedFields } from './suggest.model';
import { SuggestionList } from './suggestion-list';
import { useCompletion } from './use-completion';

export const QUERY_INPUT_ID = 'add-condition';

/**
 * Conditions typed beside the chips. Words that can be read become chips; the others stay here, marked, and say why. A
 * chip that is edited stands here as its text until it is committed.
 */
export function QueryInput({
  filter,
  facets,
  now,
  empty,
  edited,
  onEdit,
  onFilter,
}: {
  filter: Filter;
  facets: CountedFields | null;
  /** The moment that `since:7d` counts back from; null before the first answer. */
  now: string | null;
  /** There are no chips yet. */
  empty: boolean;
  /** The condition whose chip is being edited. */
  edited: Condition | null;
  /** Takes the last condition into edit, or ends the edit. */
  onEdit: (what: 'last' | null) => void;
  onFilter: (filter: Filter) => void;
}) {
  const [wrong, setWrong] = useState<ReadWord[]>([]);
  const commit = (typed: string) => {
    const { filter: said, words } = readQuery(typed, now ?? Date.now());
    const unread = words.filter(({ problem }) => problem !== null);
    if (edited || Object.keys(said).length > 0) onFilter(mergeFilter(edited ? edited.without : filter, said));
    completion.write(unread.map(({ text }) => text).join(' '));
    setWrong(unread);
    completion.setOpen(false);
    onEdit(null);
  };
  const completion = useCompletion(filter, facets, (text) => {
    commit(text);
    return true;
  });
  const { text, field, listId, isOpen } = completion;
  const first = useRef('');
  const editedKey = edited?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another chip starts another edit
  useEffect(() => {
    if (!edited) return;
    first.current = queryText(edited.part);
    completion.write(first.current);
    setWrong([]);
    field.current?.focus();
  }, [editedKey]);

  const leave = () => {
    completion.write('');
    setWrong([]);
    onEdit(null);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (completion.onKey(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      commit(text);
    } else if (event.key === 'Escape') {
      if (text || edited || wrong.length > 0) {
        event.stopPropagation();
        leave();
      } else field.current?.blur();
    } else if (event.key === 'Backspace' && text === '' && !edited) {
      event.preventDefault();
      onEdit('last');
    }
  };
  const onPaste = (event: React.ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(pasted)) return;
    // the field would drop the line ends and join the words on both sides
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = text.slice(0, selectionStart ?? text.length) + pasted.replace(/\s*[\r\n]+\s*/g, ' ').trim();
    completion.write(before + text.slice(selectionEnd ?? text.length), before.length);
  };
  return (
    <div className="qin-box">
      <input
        {...completion.props}
        ref={field as React.RefObject<HTMLInputElement>}
        id={QUERY_INPUT_ID}
        className="qin"
        role="combobox"
        aria-label={edited ? `Edit the condition ${edited.label}` : 'Add a condition'}
        aria-expanded={isOpen}
        aria-invalid={wrong.length > 0}
        aria-describedby={wrong.length > 0 ? `${listId}-problem` : undefined}
        placeholder={empty ? 'Add a condition: class:, fault:, param.resampling=cubic, or words' : 'Add a condition'}
        onChange={(event) => {
          completion.props.onChange(event);
          setWrong([]);
        }}
        onFocus={() => completion.setOpen(true)}
        onBlur={() => {
          completion.setOpen(false);
          if (edited && text === first.current) leave();
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      {wrong.length > 0 && <QueryProblems id={`${listId}-problem`} words={wrong} />}
      {isOpen && wrong.length === 0 && (
        <SuggestionList
          id={listId}
          suggestions={completion.suggestions}
          active={completion.active}
          onChoose={completion.choose}
        />
      )}
    </div>
  );
}
