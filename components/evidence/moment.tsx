import { dayText, exactText, minuteText } from '@/components/ui/time-text';

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
  const today = new Date(at).toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10);
  const text = today ? minuteText(at) : clock ? `${dayText(at, now)} ${minuteText(at)}` : dayText(at, now);
  return (
    <time dateTime={at} title={exactText(at)}>
      {text}
    </time>
  );
}
