'use client';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { depthQuery } from '@/lib/api/depth';
import { triageQuery } from '@/lib/api/triage';
import { countText } from './number-text';
import { ageText } from './time-text';

const EVERY_MS = 30_000;
const DAY_MS = 86_400_000;
const STEP_MS = 300_000;

/** Entries not resolved, how many of them failed in the last 24 hours, and the oldest: the health signal. */
export function DepthNow() {
  const { data, isError } = useQuery({ ...depthQuery(), refetchInterval: EVERY_MS });
  // in steps, so that the question stays the same for five minutes
  const since = new Date(Math.floor((Date.now() - DAY_MS) / STEP_MS) * STEP_MS).toISOString();
  const { data: day } = useQuery({
    ...triageQuery({ since }, { limit: 1 }),
    refetchInterval: 2 * EVERY_MS,
    select: ({ total }) => total,
  });
  const oldest = data?.by.map(({ oldest_failed_at }) => oldest_failed_at).sort()[0];
  return (
    <Link
      className="depth"
      href="/"
      title="Entries not resolved, those that failed in the last 24 hours, and the oldest"
    >
      <span className="depth-l">Depth</span>
      <span className="depth-n">{data ? countText(data.depth) : <span className="faint">…</span>}</span>
      {isError ? (
        <span className="depth-d bad-t">no answer</span>
      ) : (
        <>
          {day !== undefined && <span className="depth-o">{countText(day)} in 24 h</span>}
          {data && oldest && (
            <span className="depth-o">
              oldest {ageText(new Date(data.as_of).getTime() - new Date(oldest).getTime())}
            </span>
          )}
        </>
      )}
    </Link>
  );
}
