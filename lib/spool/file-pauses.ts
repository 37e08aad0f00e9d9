/** A disk that has room again is used within a second; one that stays full is not hammered. */
const LONGEST_PAUSE_S = 60;
/** A file that vanished while it failed leaves its number behind; so many of them are no matter. */
const MOST_FILES = 10_000;

/** How long each file waits until it is tried again: 1 s after its first failure, twice as long after each that follows. */
export class FilePauses {
  private readonly failures = new Map<string, number>();

  /** Counts a failure of this file; answers its pause in seconds. */
  next(id: string): number {
    const before = this.failures.get(id) ?? 0;
    if (this.failures.size >= MOST_FILES) this.failures.clear();
    this.failures.set(id, before + 1);
    return Math.min(LONGEST_PAUSE_S, 2 ** before);
  }

  /** It came further: its next failure is a first one. */
  forget(id: string): void {
    this.failures.delete(id);
  }
}
