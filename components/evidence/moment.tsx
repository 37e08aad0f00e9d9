import { exactText, rowTimeText } from '@/components/ui/time-text';

/** A time as people say it: today's as `02:14`, older as `29 Nov`; exact in the title. */
export function Moment({
  at,
  now,
  clock = false,
}: {
  at: string;
  now: number /** The time of day also for older days. */;
  clock?: boolean;
}) {
  return (
    <time dateTime={at} title={exactText(at)}>
      {rowTimeText(at, now, { clock })}
    </time>
  );
}
