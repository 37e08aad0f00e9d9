'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useToast } from '@/components/ui/toast';
import { viewsQuery } from '@/lib/api/views';
import type { TriageUrl } from '../use-triage-url';
import { defaultViewId, rememberView, setDefaultView } from './browser-memory';
import { viewAddress } from './view.model';

/** Remembers what was looked at, and opens this browser's default view where the page is opened without a condition. */
export function useViewMemory({ visit }: Pick<TriageUrl, 'visit'>, shownSearch: string | null): void {
  const client = useQueryClient();
  const toast = useToast();
  useEffect(() => {
    if (shownSearch) rememberView(shownSearch, Date.now());
  }, [shownSearch]);
  const asked = useRef(false);
  useEffect(() => {
    const id = defaultViewId();
    if (asked.current || id === null || window.location.search !== '') return;
    asked.current = true;
    client.fetchQuery(viewsQuery()).then(
      ({ items }) => {
        const view = items.find((each) => each.id === id);
        // somebody may have filtered meanwhile
        if (view && window.location.search === '') visit(viewAddress(view), 'replace');
        if (view) return;
        setDefaultView(null);
        toast({ tone: 'warn', text: 'The default view of this browser was deleted' });
      },
      () => {
        // the page says already that the server does not answer
      },
    );
  }, [client, toast, visit]);
}
