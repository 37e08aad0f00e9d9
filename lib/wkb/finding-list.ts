import type { Finding, FindingCode } from './reading';

/** Collects the first `max` findings of each code and counts all of them. */
export class FindingList {
  readonly counts: Partial<Record<FindingCode, number>> = {};
  private readonly listed: Finding[] = [];

  constructor(private readonly max: number) {}

  /** `make` is only called while the finding will be listed: a million NaN vertices cost no million objects. */
  add(code: FindingCode, make: () => Omit<Finding, 'code'>): void {
    const count = (this.counts[code] ?? 0) + 1;
    this.counts[code] = count;
    if (count <= this.max) this.listed.push({ code, ...make() });
  }

  /** The list, closed by a `capped` note for each code of which only a beginning is listed. */
  close(): Finding[] {
    for (const [code, count] of Object.entries(this.counts)) {
      if (count <= this.max) continue;
      this.listed.push({
        code: 'capped',
        path: null,
        at: null,
        message: `${this.max} of ${count} ${code} are listed`,
        severity: 'note',
      });
    }
    return this.listed;
  }
}
