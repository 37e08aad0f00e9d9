'use client';
import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useState } from 'react';
import type { Scope } from '@/components/triage/scope.model';
import { useToast } from '@/components/ui/toast';
import { operationQuery } from '@/lib/api/operations';
import { queryKeys } from '@/lib/api/query-keys';
import type { Action, Operation } from '@/lib/contract/operation';
import { CONFIRM_OVER } from '@/lib/contract/operation';
import { ACTION_WORDS } from './action-words';
import { invalidateEntries } from './invalidate-entries';
import { operationNumber, resultText } from './operation.model';
import type { PreviewOf } from './preview-dialog';
import { waitForEnd } from './wait-for-end';

// none of it is needed before somebody acts
const PreviewDialog = dynamic(() => import('./preview-dialog').then((module) => module.PreviewDialog), { ssr: false });

type Act = (action: Action, scope: Scope, onStarted?: () => void) => void;
type Asked = { of: PreviewOf; onStarted: (() => void) | undefined };

/**
 * Opens the preview of an action on what a page names, and follows what was started: a redrive and a large set to their
 * page, few entries to a message with what became of them. Put `dialog` anywhere on the page.
 */
export function usePreview(): { act: Act; dialog: ReactNode } {
  const client = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const [asked, setAsked] = useState<Asked | null>(null);
  const act: Act = useCallback((action, scope, onStarted) => setAsked({ of: previewOf(action, scope), onStarted }), []);

  const follow = async (operation: Operation) => {
    asked?.onStarted?.();
    setAsked(null);
    client.setQueryData(operationQuery(operation.id).queryKey, operation);
    void client.invalidateQueries({ queryKey: queryKeys.operations.running() });
    if (operation.action === 'redrive' || operation.eligible > CONFIRM_OVER) {
      router.push(`/operations/${operation.id}`);
      return;
    }
    const link = <OperationLink id={operation.id} />;
    const ended = await waitForEnd(client, operation);
    invalidateEntries(client);
    if (!ended) {
      toast({
        tone: 'warn',
        text: (
          <>
            {ACTION_WORDS[operation.action].doing} goes on. {link}
          </>
        ),
        ms: 10_000,
      });
      return;
    }
    const { text, tone } = resultText(ended);
    toast({
      tone,
      text: (
        <>
          {text} {link}
        </>
      ),
      ms: 10_000,
    });
  };

  return {
    act,
    dialog: asked && (
      <PreviewDialog of={asked.of} onClose={() => setAsked(null)} onStarted={(operation) => void follow(operation)} />
    ),
  };
}

function OperationLink({ id }: { id: string }) {
  return (
    <Link className="link" href={`/operations/${id}`}>
      Operation {operationNumber(id)}
    </Link>
  );
}

function previewOf(action: Action, scope: Scope): PreviewOf {
  if (scope.kind === 'filter')
    return { action, scope: { filter: scope.filter }, words: { count: scope.total, is_one_entry: false } };
  const ids = scope.kind === 'ids' ? scope.ids : [scope.id];
  return { action, scope: { ids }, words: { count: ids.length, is_one_entry: scope.kind === 'entry' } };
}
