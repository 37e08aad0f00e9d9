'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { countText } from '@/components/ui/number-text';
import { Segmented } from '@/components/ui/segmented';
import { useToast } from '@/components/ui/toast';
import { rejectedQuery } from '@/lib/api/spool';
import type { RejectedLineState, Spool, SpoolSourceState } from '@/lib/contract/spool';
import { RejectedDialog } from './rejected-dialog';
import { RejectedTable } from './rejected-table';
import { OlderOnes, SectionEmpty, SectionProblem, SectionSkeleton } from './section-states';
import { type LineResult, useLineAct } from './use-line-act';
import { visibleText } from './visible-text.model';

const EVERY_MS = 10_000;

/** Lines of spool files that could not be taken, and what is to be done about each. */
export function RejectedSection({
  is_open,
  counts,
  sources,
  onShow,
}: {
  is_open: boolean;
  counts: Spool['rejected'] | null;
  sources: readonly SpoolSourceState[];
  onShow: (is_open: boolean) => void;
}) {
  const router = useRouter();
  const toast = useToast();
  const [opened, setOpened] = useState<RejectedLineState | null>(null);
  const [said, setSaid] = useState<LineResult | null>(null);
  const query = useInfiniteQuery({
    ...rejectedQuery(is_open),
    refetchInterval: ({ state: { data } }) => EVERY_MS * Math.max(1, data?.pages.length ?? 1),
  });
  const { data, error, dataUpdatedAt, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const lines = data?.pages.flatMap((page) => page.items) ?? [];
  const act = useLineAct((result) => {
    // in the dialog the result stands beside the line
    if (opened) return setSaid(result);
    const { is_done, text, entry_id } = result;
    toast({
      tone: is_done ? 'ok' : 'bad',
      text: <span className="in-any">{visibleText(text)}</span>,
      ms: is_done ? 6_000 : 10_000,
      ...(entry_id ? { action: { label: 'Open the entry', run: () => router.push(`/dead-letters/${entry_id}`) } } : {}),
    });
  });
  const busy_id = act.isPending ? act.variables.id : null;
  return (
    <>
      {error && (
        <SectionProblem what="rejected lines" error={error} shown_at={dataUpdatedAt} onRetry={() => void refetch()} />
      )}
      <div className="in-filter">
        <Segmented
          label="Which lines"
          value={is_open ? 'open' : 'done'}
          options={[
            { value: 'open', label: counts ? `Open ${countText(counts.open)}` : 'Open' },
            { value: 'done', label: counts ? `Dealt with ${countText(counts.total - counts.open)}` : 'Dealt with' },
          ]}
          onChange={(value) => onShow(value === 'open')}
        />
        <span className="cap">
          Each is kept as it came: in the rejected/ folder of its spool, or beside the file or where it was run by dlo
          ingest. Open a line to see the place.
        </span>
      </div>
      {!data && !error && <SectionSkeleton what="rejected lines" />}
      {data && lines.length === 0 && <NoLines is_open={is_open} total={counts?.total ?? 0} />}
      {lines.length > 0 && (
        <section className="card">
          <RejectedTable
            lines={lines}
            now={dataUpdatedAt}
            busy_id={busy_id}
            onOpen={(line) => {
              setSaid(null);
              setOpened(line);
            }}
            onAct={is_open ? (id, verb) => act.mutate({ id, verb }) : null}
          />
          {hasNextPage && (
            <OlderOnes shown={lines.length} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
          )}
        </section>
      )}
      <RejectedDialog
        line={opened}
        sources={sources}
        said={said?.id === opened?.id ? said : null}
        busy={busy_id !== null}
        onAct={(verb) => opened && act.mutate({ id: opened.id, verb })}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function NoLines({ is_open, total }: { is_open: boolean; total: number }) {
  if (!is_open) return <SectionEmpty title="No line has been dealt with." />;
  return (
    <SectionEmpty title="No line waits for anyone.">
      <p className="dim">
        {total === 0
          ? 'Every line of every spool file was taken. One that cannot be is put aside whole, and listed here with the reason.'
          : 'All that could not be taken was tried again or set aside.'}
      </p>
    </SectionEmpty>
  );
}
