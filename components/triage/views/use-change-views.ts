'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '@/components/ui/toast';
import { ApiError } from '@/lib/api/api-error';
import { changeView, createView, deleteView, viewsQuery, withView } from '@/lib/api/views';
import type { View, ViewList } from '@/lib/contract/view';
import { defaultViewId, setDefaultView } from './browser-memory';

const UNDO_MS = 10_000;

/** Saves, changes and deletes views; the list in the cache follows each answer of the server. */
export function useChangeViews() {
  const client = useQueryClient();
  const toast = useToast();
  const { queryKey } = viewsQuery();
  const put = (view: View, is_there = true) =>
    client.setQueryData<ViewList>(queryKey, (list) => list && withView(list, view, is_there));
  const onError = (error: Error) => {
    // somebody was faster: what it is now is shown at once
    if (error instanceof ApiError && (error.code === 'conflict' || error.code === 'not_found'))
      void client.invalidateQueries({ queryKey });
  };
  const create = useMutation({
    mutationFn: ({ name, search }: { name: string; search: string }) => createView(name, search),
    onSuccess: (view) => put(view),
    onError,
  });
  const change = useMutation({
    mutationFn: ({ view, ...to }: { view: View; name: string; search: string }) => changeView(view, to),
    onSuccess: (view) => put(view),
    onError,
  });
  const remove = useMutation({
    mutationFn: deleteView,
    onSuccess: (gone) => {
      put(gone, false);
      const was_default = defaultViewId() === gone.id;
      if (was_default) setDefaultView(null);
      const undo = () =>
        changeView(gone, { name: gone.name, search: gone.search }).then(
          (back) => {
            put(back);
            if (was_default) setDefaultView(back.id);
          },
          (error: unknown) => toast({ tone: 'bad', text: error instanceof Error ? `${error.message}.` : 'Not undone' }),
        );
      toast({
        text: `View “${gone.name}” deleted`,
        action: { label: 'Undo', run: () => void undo(), is_undo: true },
        ms: UNDO_MS,
      });
    },
    onError,
  });
  const failed = [create, change, remove].find(({ error }) => error !== null)?.error ?? null;
  const reset = () => {
    for (const each of [create, change, remove]) each.reset();
  };
  return { create, change, remove, failed, reset, busy: [create, change, remove].some(({ isPending }) => isPending) };
}
