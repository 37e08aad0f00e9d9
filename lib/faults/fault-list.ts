import { FAULT_CODES, type FaultCode } from '@/lib/dead-letter/vocabulary';
import type { WkbReading } from '@/lib/wkb/reading';
import type { FaultReport, FoundFault } from './fault-report';

/** Collects the first `max_listed` faults of each code and counts all of them. */
export class FaultList {
  private readonly counts: FaultReport['counts'];
  private readonly listed: FoundFault[];
  private readonly listed_of = new Map<FaultCode, number>();
  private readonly limits: string[] = [];

  constructor(
    reading: Pick<WkbReading, 'findings' | 'finding_counts'>,
    private readonly max_listed: number,
  ) {
    this.counts = { ...reading.finding_counts };
    // The reader's own notes on its caps are written anew, for its findings and those of this list together.
    this.listed = reading.findings.filter(({ code }) => code !== 'capped' && this.hasRoom(code));
  }

  /** `make` is only called while the fault will be listed. */
  add(code: FaultCode, make: () => Omit<FoundFault, 'code'>): void {
    this.counts[code] = (this.counts[code] ?? 0) + 1;
    if (this.hasRoom(code)) this.listed.push({ code, ...make() });
  }

  /** Records what a bound left unlooked at. */
  stop(message: string): void {
    this.limits.push(message);
  }

  close(): FaultReport {
    const faults = this.listed.sort(inOrder);
    const messages = [...this.limits];
    for (const [code, count] of Object.entries(this.counts)) {
      const listed = this.listed_of.get(code as FaultCode) ?? 0;
      if (count > listed) messages.push(`${listed} of ${count} ${code} are listed`);
    }
    for (const message of messages) faults.push({ code: 'capped', path: null, at: null, message, severity: 'note' });
    if (messages.length > 0) this.counts.capped = messages.length;
    return { faults, counts: this.counts, capped: messages.length > 0 };
  }

  private hasRoom(code: FaultCode): boolean {
    const listed = this.listed_of.get(code) ?? 0;
    if (listed >= this.max_listed) return false;
    this.listed_of.set(code, listed + 1);
    return true;
  }
}

function inOrder(a: FoundFault, b: FoundFault): number {
  if (a.severity !== b.severity) return a.severity === 'fails' ? -1 : 1;
  return (
    compareNumbers(a.path ?? [], b.path ?? []) ||
    FAULT_CODES.indexOf(a.code) - FAULT_CODES.indexOf(b.code) ||
    compareNumbers(a.at ?? [], b.at ?? [])
  );
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
