import type { Tx } from '@/db/client';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { type ReadLine, refuse } from './read-line';
import type { RejectedLine } from './rejected-line';

interface StoredLines {
  stored: number;
  duplicates: number;
  /** In the order of the lines. */
  rejected: RejectedLine[];
}

/**
 * Stores the lines that were read well, in the caller's transaction; one that the database cannot take joins the rejected.
 * @throws what is no fault of a line.
 */
export async function storeLines(tx: Tx, lines: readonly ReadLine[]): Promise<StoredLines> {
  const good = lines.flatMap((one) => ('proposal' in one ? [one] : []));
  const answers = await storeHalves(tx, good);
  const rejected = lines.flatMap((one) => ('rejected' in one ? [one.rejected] : []));
  let duplicates = 0;
  good.forEach(({ raw }, i) => {
    const answer = answers[i];
    if (answer instanceof DlqError) rejected.push(refuse(raw, 'unprocessable', answer.message).rejected);
    else if (answer?.outcome === 'duplicate') duplicates += 1;
  });
  rejected.sort((a, b) => a.line - b.line);
  const stored = lines.length - rejected.length - duplicates;
  return { stored, duplicates, rejected };
}

type Good = Extract<ReadLine, { proposal: unknown }>;
type Answers = Awaited<ReturnType<typeof storeChunk>>;

/** SQLSTATE classes of an error inside a function that a value has led to, and that waiting does not help. */
const BLAMES_A_LINE = /^(XX|38|39|P0)/;
/** The statement took too long: a part of it takes less. */
const TOO_LONG = '57014';

/** One answer a line. An error of one line's making must not hold back the others: it is found by halving. */
export async function storeHalves(tx: Tx, lines: readonly Good[]): Promise<Answers> {
  const proposals = lines.map(({ proposal }) => proposal);
  try {
    return await tx.transaction((savepoint) => storeChunk(savepoint, proposals));
  } catch (error) {
    const code = sqlStateOf(error);
    if (BLAMES_A_LINE.test(code) && lines.length === 1)
      return [new DlqError('unprocessable', 'the database fails on this capture', { sqlstate: code })];
    if (lines.length < 2 || !(BLAMES_A_LINE.test(code) || code === TOO_LONG)) throw error;
    const half = Math.ceil(lines.length / 2);
    return [...(await storeHalves(tx, lines.slice(0, half))), ...(await storeHalves(tx, lines.slice(half)))];
  }
}
