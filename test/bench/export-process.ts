import { createWriteStream, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { closePool, getDb } from '@/db/client';
import type { ExportFormat } from '@/lib/contract/export';
import { exportEntries } from '@/lib/triage/export/export-entries';
import { exportRows } from '@/lib/triage/export/export-rows';

/**
 * Exports the database of DATABASE_URL in the format FORMAT (or only reads its pages, for `read`) to nowhere, and says how
 * much that was, how long it took, and the most memory that the process ever held, at half of ENTRIES and at the end.
 */
const ctx = { db: getDb(), actor: { name: 'bench', role: 'operator' as const } };
const { FORMAT = 'csv', ENTRIES = '0' } = process.env;
const began = performance.now();
/** Of this program alone: what getrusage says begins with what its parent held. */
const peak_mb = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
let entries = 0;
let bytes = 0;
let half_mb = 0;

function heard(count: number): void {
  entries += count;
  if (half_mb === 0 && entries * 2 >= Number(ENTRIES)) half_mb = peak_mb();
}

if (FORMAT === 'read') for await (const page of exportRows(ctx, { state: ['any'] })) heard(page.length);
else {
  const pieces = exportEntries(ctx, FORMAT as ExportFormat, { state: ['any'] }, heard);
  async function* counted() {
    for await (const piece of pieces) {
      const made = Buffer.from(piece as Uint8Array);
      bytes += made.length;
      yield made;
    }
  }
  await pipeline(Readable.from(counted(), { highWaterMark: 1 }), createWriteStream('/dev/null'));
}
process.send?.({ entries, bytes, seconds: (performance.now() - began) / 1000, half_mb, peak_mb: peak_mb() });
await closePool();
process.disconnect?.();
