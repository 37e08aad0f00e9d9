'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { rowTimeText } from '@/components/ui/time-text';
import { useToast } from '@/components/ui/toast';
import { queryKeys } from '@/lib/api/query-keys';
import { revokeToken } from '@/lib/api/tokens';
import type { Token } from '@/lib/contract/token';

/** Asks once, with what ends and what does not. */
export function RevokeDialog({ token, now, onClose }: { token: Token | null; now: number; onClose: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const last = useRef(token);
  if (token) last.current = token;
  const shown = token ?? last.current;
  const revoke = useMutation({
    mutationFn: (id: string) => revokeToken(id),
    onSuccess: ({ name }) => {
      void client.invalidateQueries({ queryKey: queryKeys.tokens.all });
      toast({ text: `${name} is revoked` });
      onClose();
    },
  });
  if (!shown) return null;
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <Dialog
      open={token !== null}
      onClose={close}
      width={480}
      title={`Revoke ${shown.name}?`}
      description={
        shown.last_used_at
          ? `It was last used ${rowTimeText(shown.last_used_at, now, { clock: true })}.`
          : 'It was never used.'
      }
      footer={
        <>
          <span className="in-said bad-t" role="alert">
            {revoke.error && `It was not revoked: ${revoke.error.message}.`}
          </span>
          <span className="in-foot">
            <button type="button" className="btn" onClick={close}>
              Keep it
            </button>
            <button
              type="button"
              className="btn btn-danger"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(shown.id)}
            >
              {revoke.isPending ? 'Revoking…' : 'Revoke'}
            </button>
          </span>
        </>
      }
    >
      <p className="dim">
        What is sent with it is refused from now on, by other processes within ten seconds; clients with a spool keep
        their captures there meanwhile. What it has sent stays. A revoked token cannot come back; its name can.
      </p>
    </Dialog>
  );
}
