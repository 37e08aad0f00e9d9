'use client';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { Spool } from '@/lib/contract/spool';
import { OlderOnes, SectionEmpty, SectionProblem, SectionSkeleton } from './section-states';
import { SpoolFiles } from './spool-files';
import { NoSpool, SpoolSources } from './spool-sources';

/** Where captures wait that the server could not take, and what became of each file. */
export function SpoolSection({
  query,
  onLines,
}: {
  query: UseInfiniteQueryResult<{ pages: Spool[] }>;
  onLines: () => void;
}) {
  const { data, error, dataUpdatedAt, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const first = data?.pages[0];
  const files = data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <>
      {error && <SectionProblem what="spools" error={error} shown_at={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!first && !error && <SectionSkeleton what="spools" />}
      {first && (
        <>
          {first.sources.length === 0 ? <NoSpool /> : <SpoolSources sources={first.sources} as_of={first.as_of} />}
          {files.length > 0 ? (
            <section className="card" aria-labelledby="in-files">
              <div className="card-h">
                <h2 id="in-files">Files</h2>
                <span className="cap">
                  newest first; what is loaded is kept in loaded/ for a week unless set otherwise
                </span>
              </div>
              <SpoolFiles files={files} as_of={first.as_of} sources={first.sources} onLines={onLines} />
              {hasNextPage && (
                <OlderOnes shown={files.length} busy={isFetchingNextPage} onMore={() => void fetchNextPage()} />
              )}
            </section>
          ) : (
            first.sources.length > 0 && (
              <SectionEmpty title="No file has come yet.">
                <p className="dim">
                  While the server takes captures itself, clients write none. What they do write is seen here within a
                  minute.
                </p>
              </SectionEmpty>
            )
          )}
        </>
      )}
    </>
  );
}
