'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { ApiError } from '@/lib/api/api-error';
import { queryKeys } from '@/lib/api/query-keys';
import { createToken } from '@/lib/api/tokens';
import type { CreatedToken, NewToken } from '@/lib/contract/token';
import { EMPTY_TOKEN, readTokenForm, type TokenField } from './token.model';
import { TokenForm } from './token-form';
import { TokenSecret } from './token-secret';

/** Asks what a producer may send, then shows its token, once. */
export function NewTokenDialog({ open, origin, onClose }: { open: boolean; origin: string; onClose: () => void }) {
  const client = useQueryClient();
  const form_id = useId();
  const [form, setForm] = useState(EMPTY_TOKEN);
  const [problems, setProblems] = useState<Partial<Record<TokenField, string>>>({});
  const [made, setMade] = useState<CreatedToken | null>(null);
  const [kept, setKept] = useState<'unseen' | 'copied' | 'warned'>('unseen');
  const create = useMutation({
    mutationFn: (body: NewToken) => createToken(body),
    onSuccess: (token) => {
      setMade(token);
      void client.invalidateQueries({ queryKey: queryKeys.tokens.all });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'conflict')
        setProblems({ name: 'A token of this name is in use: revoke that one first, or choose another name' });
    },
  });
  const submit = () => {
    const read = readTokenForm(form, Date.now());
    if ('problems' in read) return setProblems(read.problems);
    setProblems({});
    create.mutate(read.body);
  };
  // a secret that nobody has copied is not lost to one stray click or Escape
  const close = () => {
    if (made && kept === 'unseen') setKept('warned');
    else if (!create.isPending) onClose();
  };
  const failed = create.error && !problems.name ? create.error : null;
  return (
    <Dialog
      open={open}
      onClose={close}
      width={made ? 640 : 520}
      title={made ? `Token of ${made.name}` : 'New token'}
      description={
        made
          ? 'Shown this once: only its hash is kept. Give it to the producer as DLO_TOKEN.'
          : 'For one producer: it may send captures, blobs and run reports.'
      }
      footer={
        made ? (
          <>
            <span className="in-said warn-t" role="status">
              {kept === 'warned' && 'Not copied yet. Closing now drops it for good.'}
            </span>
            <button type="button" className="btn in-foot" onClick={close}>
              {kept === 'warned' ? 'Close without it' : 'Done'}
            </button>
          </>
        ) : (
          <>
            <span className="in-said bad-t" role="alert">
              {failed && `It was not made: ${failed.message}.`}
            </span>
            <span className="in-foot">
              <button type="button" className="btn" onClick={onClose} disabled={create.isPending}>
                Cancel
              </button>
              <button type="submit" form={form_id} className="btn btn-primary" disabled={create.isPending}>
                {create.isPending ? 'Making…' : 'Make token'}
              </button>
            </span>
          </>
        )
      }
    >
      {made ? (
        <TokenSecret made={made} origin={origin} onCopied={() => setKept('copied')} />
      ) : (
        <TokenForm
          id={form_id}
          form={form}
          problems={problems}
          onChange={(change) => setForm((before) => ({ ...before, ...change }))}
          onSubmit={submit}
        />
      )}
    </Dialog>
  );
}
