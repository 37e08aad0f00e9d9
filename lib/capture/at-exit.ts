import type { Spool } from './spool';

export interface Unsettled {
  /** Made when it is needed: the capture's text as one line. */
  line: () => string;
  spool: Spool | undefined;
  /** Told where no spool can take it. */
  lost: (line: string, reason: string) => void;
}

const unsettled = new Set<Unsettled>();
let listens = false;

/**
 * From now until the answer, the capture is written to its spool should the process exit: a failure that nobody
 * catches ends the process before its capture was sent. Call what it returns once it is kept.
 */
export function keepAtExit(one: Unsettled): () => void {
  if (!listens) process.once('exit', keepUnsettled);
  listens = true;
  unsettled.add(one);
  return () => unsettled.delete(one);
}

function keepUnsettled(): void {
  const by_spool = new Map<Spool | undefined, Unsettled[]>();
  for (const one of unsettled) by_spool.set(one.spool, [...(by_spool.get(one.spool) ?? []), one]);
  for (const [spool, ones] of by_spool) {
    const lines = ones.map(lineOf);
    let reason = 'the process exited before the server answered; await flush() before that';
    try {
      if (spool?.append_at_exit) {
        spool.append_at_exit(lines);
        continue;
      }
    } catch (error) {
      reason = `the process exited before the server answered: ${String(error)}`;
    }
    for (const [i, one] of ones.entries()) one.lost(lines[i] ?? '', reason);
  }
}

/** A geometry can be longer than a string may be. */
function lineOf(one: Unsettled): string {
  try {
    return one.line();
  } catch (error) {
    return JSON.stringify({ capture_error: String(error) });
  }
}
