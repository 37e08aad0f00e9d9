'use client';
import { useQuery } from '@tanstack/react-query';
import { runningOperationsQuery } from '@/lib/api/operations';

const EVERY_MS = 10_000;

/** How many operations run now; nothing when none does. */
export function RunningOperations() {
  const { data } = useQuery({ ...runningOperationsQuery(), refetchInterval: EVERY_MS });
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="count-dot">
      {count}
      {data?.next_cursor && '+'}
      <span className="sr"> running</span>
    </span>
  );
}
