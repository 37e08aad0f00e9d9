'use client';
import { useEffect, useMemo, useState } from 'react';
import type { Filter } from '@/lib/contract/filter';
import { QUERY_INPUT_ID } from './query-input';
import { QueryProblems } from './query-problems';
import { queryText, readQuery } from './query-text.model';
import type { CountedFields } from './suggest.model';
import { SuggestionList } from './suggestion-list';
import { useCompletion } from './use-completion';

/** The whole filter as one text. It follows the filter; Enter applies it, and what cannot be read stays, marked. */
export function QueryEditor({
  filter,
  facets,
  now,
  onFilter,
  onClose,
}: {
  filter: Filter;
  facets: CountedFields | null;
  now: string | null;
  onFilter: (filter: Filter) => void;
  onClose: () => void;
}) {
  const said = useMemo(() => queryText(filter), [filter]);
  const [focused, setFocused] = useState(false);
  const completion = useCompletion(filter, facets, () => false);
  const { text, caret, field, listId, isOpen } = completion;
  // the text that Enter was pressed on: until it is changed, the word at the caret is judged too
  const [applied, setApplied] = useState<string | null>(null);
  const { words } = useMemo(() => readQuery(text, now ?? 0), [text, now]);
  const wrong = words.filter(({ problem }) => problem !== null);
  const isTyped = (word: { from: number; to: number }) =>
    focused && applied !== text && word.from <= caret && caret <= word.to;
  const judged = wrong.filter((word) => !isTyped(word));
  const isChanged = text.trim() !== [said, ...wrong.map((word) => word.text)].join(' ').trim();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text follows the filter, not itself
  useEffect(() => {
    completion.write([said, ...wrong.map((word) => word.text)].filter(Boolean).join(' '));
  }, [said]);
  useEffect(() => field.current?.focus(), [field]);

  const apply = () => {
    const read = readQuery(text, now ?? Date.now());
    const left = read.words.flatMap((word) => (word.problem ? [word.text] : []));
    completion.setOpen(false);
    const next = [queryText(read.filter), ...left].filter(Boolean).join(' ');
    completion.write(next);
    setApplied(next);
    onFilter(read.filter);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (completion.onKey(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      apply();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (isChanged || wrong.length > 0) completion.write(said);
      else onClose();
    }
  };
  return (
    <div className="qtext-box">
      <div className="qtext-over">
        <div className={`qtext${focused ? ' has-focus' : ''}`}>
          <div className="qtext-mirror" aria-hidden>
            {marked(text, judged)}
          </div>
          <textarea
            {...completion.props}
            ref={field as React.RefObject<HTMLTextAreaElement>}
            id={QUERY_INPUT_ID}
            className="qtext-field"
            rows={1}
            aria-label="The filter as text"
            aria-haspopup="listbox"
            aria-invalid={judged.length > 0}
            aria-describedby={judged.length > 0 ? `${listId}-problem` : undefined}
            placeholder="class:crs_mismatch task:reproject* !crs:EPSG:4326 param.resampling=cubic since:7d"
            onFocus={() => setFocused(true)}
            onBlur={() => {
              completion.setOpen(false);
              setFocused(false);
            }}
            onKeyDown={onKeyDown}
          />
          {isChanged && (
            <button type="button" className="btn btn-s qtext-apply" onClick={apply}>
              Apply
            </button>
          )}
        </div>
        {judged.length > 0 && focused && !isOpen && <QueryProblems id={`${listId}-problem`} words={judged} />}
        {isOpen && (
          <SuggestionList
            id={listId}
            suggestions={completion.suggestions}
            active={completion.active}
            onChoose={completion.choose}
          />
        )}
      </div>
    </div>
  );
}

/** The text with the words that cannot be read marked in their places. */
function marked(text: string, wrong: readonly { from: number; to: number }[]) {
  let at = 0;
  const parts = wrong.flatMap(({ from, to }) => {
    const before = text.slice(at, from);
    at = to;
    return [before, <mark key={from}>{text.slice(from, to)}</mark>];
  });
  // a line end at the end has a height in the field, and has it here by the character behind it
  return [...parts, `${text.slice(at)}\u200b`];
}
