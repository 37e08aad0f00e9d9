import type { SpoolProgress } from '@/db/queries/advance-spool-file';

/** A log gets a line this often, a terminal one that moves. */
const LOG_EVERY_MS = 5_000;
const TERMINAL_EVERY_MS = 200;

/** The state of an ingest as a person sees it: a line that moves on a terminal, one now and then in a log. */
export class IngestProgress {
  private readonly files = new Map<string, { begin: SpoolProgress; now: SpoolProgress }>();
  private shown_at = performance.now();
  private readonly started = performance.now();
  private is_dirty = false;

  /** @param total_bytes of all files; 0 where that is not known. */
  constructor(
    private readonly total_bytes: number,
    private readonly output: { isTTY?: boolean; write: (text: string) => unknown },
  ) {}

  /** `begin` is where this run took the file up: what an earlier one did is not this one's. */
  on(file: string, begin: SpoolProgress, now: SpoolProgress): void {
    const known = this.files.get(file);
    this.files.set(file, { begin: known?.begin ?? begin, now });
    if (performance.now() - this.shown_at > (this.output.isTTY ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) this.show();
  }

  /** Lines of this run. */
  totals(): { lines: number; stored: number; duplicates: number; rejected: number; bytes: number; seconds: number } {
    const sum = { lines: 0, stored: 0, duplicates: 0, rejected: 0, bytes: 0 };
    for (const { begin, now } of this.files.values()) {
      sum.lines += now.lines - begin.lines;
      sum.stored += now.stored - begin.stored;
      sum.duplicates += now.duplicates - begin.duplicates;
      sum.rejected += now.rejected - begin.rejected;
      sum.bytes += now.done_bytes - begin.done_bytes;
    }
    return { ...sum, seconds: (performance.now() - this.started) / 1000 };
  }

  show(): void {
    const { lines, stored, duplicates, rejected, seconds } = this.totals();
    let done = 0;
    for (const { now } of this.files.values()) done += now.done_bytes;
    const share = this.total_bytes > 0 ? `${Math.min(100, Math.floor((100 * done) / this.total_bytes))} %, ` : '';
    const text = `${share}${lines} lines, ${Math.round(lines / Math.max(seconds, 0.001))} /s, ${stored} stored, ${duplicates} counted before, ${rejected} rejected`;
    this.output.write(this.output.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
    this.is_dirty = this.output.isTTY === true;
    this.shown_at = performance.now();
  }

  /** A line of its own, above the one that moves. */
  say(text: string): void {
    this.output.write(`${this.is_dirty ? '\r\x1b[K' : ''}${text}\n`);
    this.is_dirty = false;
  }
}
