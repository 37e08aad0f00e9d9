/** Every time on the page is UTC: the same text on the server, in the browser and in a shared screenshot. */
const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * The database holds moments that no Date does (`infinity`, the year 10000: a writer's broken clock). Such a moment is
 * shown as its day was given: a time that cannot be said must not break the list that it stands in.
 */
const isSayable = (at: string | number) => !Number.isNaN(new Date(at).getTime());
const asGiven = (at: string | number) => String(at).split('T')[0] ?? '';

const two = (value: number) => String(value).padStart(2, '0');

/** `29 Nov`, or `29 Nov 2025` when the year is not that of `now`. */
export function dayText(at: string | number, now: string | number): string {
  if (!isSayable(at)) return asGiven(at);
  const day = new Date(at);
  const year = day.getUTCFullYear();
  const text = `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`;
  return year === new Date(now).getUTCFullYear() ? text : `${text} ${year}`;
}

/** `02:14`. */
export function minuteText(at: string | number): string {
  if (!isSayable(at)) return '';
  const time = new Date(at);
  return `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
}

/** `14:32:07`. */
export function clockText(at: string | number): string {
  return `${minuteText(at)}:${two(new Date(at).getUTCSeconds())}`;
}

/** Whether both lie on one day, UTC. */
const isSameDay = (a: string | number, b: string | number) =>
  Math.floor(new Date(a).getTime() / DAY_MS) === Math.floor(new Date(b).getTime() / DAY_MS);

const UNKNOWN_YEAR = Number.NaN;

/** Today's times as `02:14`, older as `29 Nov`, days to come always with their year; with `clock` as `29 Nov 02:14`. */
export function rowTimeText(at: string, now: string | number, { clock = false } = {}): string {
  if (isSameDay(at, now)) return minuteText(at);
  const is_to_come = new Date(at).getTime() > new Date(now).getTime();
  const day = dayText(at, is_to_come ? UNKNOWN_YEAR : now);
  return clock ? `${day} ${minuteText(at)}`.trim() : day;
}

/** `29 Nov 02:14`, or `29 Nov` at midnight. */
export function momentText(at: string, now: string | number): string {
  const day = dayText(at, now);
  return new Date(at).getTime() % DAY_MS === 0 ? day : `${day} ${minuteText(at)}`;
}

/** The whole moment, for a title: `2026-11-29 02:14:31 UTC`. */
export function exactText(at: string): string {
  return isSayable(at) ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC` : at;
}

/** How old, in the largest unit that fits: `4 s`, `3 min`, `5 h`, `41 d`; `∞` since a moment that is none. */
export function ageText(ms: number): string {
  if (!Number.isFinite(ms)) return '∞';
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/**
 * The period of a filter: `24 – 30 Nov`, `since 24 Nov 14:30`, `until 2 Nov`; '' without one. `until` is exclusive, so
 * a period of whole days names its last day.
 */
export function periodText(since: string | undefined, until: string | undefined, now: string | number): string {
  if (!since) return until ? `until ${momentText(until, now)}` : '';
  if (!until) return `since ${momentText(since, now)}`;
  const wholeDays = [since, until].every((at) => new Date(at).getTime() % DAY_MS === 0);
  if (!wholeDays) {
    const sameDay = since.slice(0, 10) === until.slice(0, 10);
    return `${momentText(since, now)} – ${sameDay ? minuteText(until) : momentText(until, now)}`;
  }
  const last = new Date(until).getTime() - DAY_MS;
  const first = new Date(since);
  if (first.getTime() >= last) return dayText(since, now);
  const sameMonth = first.toISOString().slice(0, 7) === new Date(last).toISOString().slice(0, 7);
  return `${sameMonth ? first.getUTCDate() : dayText(since, now)} – ${dayText(last, now)}`;
}

/** `7d`, `12h`, `30m`, `2026-11-24`, `2026-11-24T10:00Z` as an ISO moment, counted back from `now`; null if neither. */
export function parseMoment(text: string, now: string | number): string | null {
  const back = /^(\d{1,5})\s*(min|m|h|d|w)$/.exec(text.trim().toLowerCase());
  if (back) {
    const unit = { min: 60_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS }[
      back[2] as 'min' | 'm' | 'h' | 'd' | 'w'
    ];
    const at = new Date(now).getTime() - Number(back[1]) * unit;
    return new Date(Math.floor(at / 60_000) * 60_000).toISOString();
  }
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i.test(text.trim())) return null;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/i.test(text) || !text.includes('T') ? text : `${text}Z`;
  const at = new Date(zoned.trim());
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
