'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { countText } from '@/components/ui/number-text';
import { clockText } from '@/components/ui/time-text';
import { previewOperation, startOperation } from '@/lib/api/operations';
import type { Filter } from '@/lib/contract/filter';
import { type Action, CANARY_HOLDS, type Operation, type Preview } from '@/lib/contract/operation';
import { UNRESOLVED_STATES } from '@/lib/dead-letter/vocabulary';
import { ACTION_WORDS } from './action-words';
import { FilterChips } from './filter-chips';
import './preview.css';
import {
  type PreviewForm as Form,
  hasNoCondition,
  previewTitle,
  problemsOf,
  readCanary,
  startForm,
  startLabel,
  startRequest,
} from './preview.model';
import { fieldId, PreviewForm } from './preview-form';
import { NoCondition, PreviewProblem, PreviewSkeleton } from './preview-problem';
import { PreviewSplit } from './preview-split';
import { previewProblem, startProblem } from './problem-words';
import { useExpiry } from './use-expiry';

/** What a preview is asked for, and how many the person saw. */
export type PreviewOf = {
  action: Action;
  scope: { filter: Filter } | { ids: string[] };
  words: { count: number; is_one_entry: boolean };
};

/** Freezes the set as it opens and says what would happen; changes nothing until it is started. */
export function PreviewDialog({
  of: { action, scope, words },
  onClose,
  onStarted,
}: {
  of: PreviewOf;
  onClose: () => void;
  onStarted: (operation: Operation) => void;
}) {
  const formId = useId();
  const [wanted, setWanted] = useState(scope);
  const [round, setRound] = useState(0);
  const unsaid = hasNoCondition(wanted);
  const query = useQuery({
    // one question for each opening, so that a second render never freezes a second set
    queryKey: ['preview', formId, round, action, wanted],
    queryFn: ({ signal }) => previewOperation({ action, ...wanted }, signal),
    enabled: !unsaid,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnMount: false,
  });
  const preview = query.data;
  const [form, setForm] = useState<Form | null>(null);
  const [tried, setTried] = useState(false);
  const expired = useExpiry(preview);
  const start = useMutation({ mutationFn: startOperation, onSuccess: onStarted });
  const now = form ?? (preview ? startForm(preview.eligible) : null);
  const problems = preview && now && tried ? problemsOf(now, preview) : {};

  const freezeAgain = () => {
    start.reset();
    setTried(false);
    setForm((typed) => typed && { ...typed, confirm: '' });
    setRound(round + 1);
  };
  const submit = (frozen: Preview, typed: Form) => {
    if (start.isPending) return;
    setTried(true);
    const [first] = Object.keys(problemsOf(typed, frozen)) as (keyof ReturnType<typeof problemsOf>)[];
    if (first) document.getElementById(fieldId(first))?.focus();
    else start.mutate(startRequest(typed, frozen));
  };

  const ready = preview && now && preview.eligible > 0 && !expired ? { preview, form: now } : null;
  return (
    <Dialog
      open
      onClose={onClose}
      width={720}
      title={previewTitle(action, preview?.matched ?? words.count, words.is_one_entry)}
      description={
        preview
          ? `Set frozen at ${clockText(preview.frozen_at)} UTC. What fails after that is not in it.`
          : unsaid
            ? 'Nothing is frozen yet.'
            : query.isError
              ? 'The set could not be frozen.'
              : 'Freezing the set…'
      }
      footer={
        <>
          <span className="cap pv-foot">
            {start.isError ? '' : 'Nothing has been changed yet. '}
            {ready && 'The preview is kept for 1 h. '}
            {ready && action === 'redrive' && 'What is sent cannot be unsent.'}
          </span>
          <button type="button" className="btn" onClick={onClose}>
            {ready || query.isPending ? 'Cancel' : 'Close'}
          </button>
          {ready && (
            <button type="submit" form={formId} className="btn btn-primary" disabled={start.isPending}>
              {start.isPending
                ? 'Starting…'
                : startLabel(action, ready.preview.eligible, readCanary(ready.form, ready.preview.eligible))}
            </button>
          )}
        </>
      }
    >
      <div className="pv">
        {!words.is_one_entry && !unsaid && (
          <FilterChips
            filter={'filter' in wanted ? wanted.filter : null}
            ids={'ids' in wanted ? wanted.ids.length : null}
            now={preview?.frozen_at ?? new Date().toISOString()}
          />
        )}
        {unsaid && (
          <NoCondition total={words.count} onTakeAll={() => setWanted({ filter: { state: [...UNRESOLVED_STATES] } })} />
        )}
        {!unsaid && query.isPending && <PreviewSkeleton />}
        {query.isError && <PreviewProblem words={previewProblem(query.error)} onNext={freezeAgain} />}
        {preview && (
          <>
            <p className="sr" role="status">
              {countText(preview.eligible)} {ACTION_WORDS[action].will}, {countText(preview.matched - preview.eligible)}{' '}
              will not
            </p>
            <PreviewSplit preview={preview} />
          </>
        )}
        {preview && preview.eligible === 0 && <NothingEligible preview={preview} />}
        {expired && (
          <PreviewProblem
            words={{
              title: 'This preview has expired.',
              text: 'What it froze is too old. Nothing was changed.',
              next: 'freeze',
            }}
            onNext={freezeAgain}
          />
        )}
        {ready && (
          <PreviewForm
            id={formId}
            {...ready}
            problems={problems}
            holds={CANARY_HOLDS}
            onChange={(change) => setForm({ ...ready.form, ...change })}
            onSubmit={() => submit(ready.preview, ready.form)}
          />
        )}
        {start.isError && !expired && (
          <PreviewProblem
            words={startProblem(start.error)}
            onNext={(next) => (next === 'again' && ready ? submit(ready.preview, ready.form) : freezeAgain())}
          />
        )}
      </div>
    </Dialog>
  );
}

function NothingEligible({ preview: { action, matched } }: { preview: Preview }) {
  const verb = ACTION_WORDS[action].verb.toLowerCase();
  return (
    <p className="pv-none dim">
      {matched === 0
        ? `No entry matches any more, so there is nothing to ${verb}.`
        : `There is nothing to ${verb}. Each entry stays as it is; the reasons stand above.`}
    </p>
  );
}
