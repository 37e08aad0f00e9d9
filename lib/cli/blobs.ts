import { Command } from 'commander';
import type { BlobTotals } from '@/db/queries/blob-totals';
import type { Pruned } from '@/lib/blobs/prune-blobs';
import { Refusal } from './project.mjs';

type Options = { prune?: boolean; olderThan: string; dryRun?: boolean };

/** `dlo blobs`: what the blob store holds, and the removal of what no entry names. */
export function blobsCommand(): Command {
  return new Command('blobs')
    .description('say what the blob store (DLO_BLOBS) holds; with --prune, remove what no entry names')
    .option('--prune', 'remove blobs that no entry names')
    .option('--older-than <duration>', 'with --prune: only those last put longer ago, like 7d, 12h or 30m', '7d')
    .option('--dry-run', 'with --prune: say what would be removed, remove nothing')
    .action(run);
}

async function run({ prune = false, olderThan, dryRun = false }: Options): Promise<void> {
  if (dryRun && !prune) throw new Refusal('--dry-run goes with --prune.');
  const grace_ms = durationOf(olderThan);
  const { getConfig } = await import('@/lib/config');
  const { closePool, getDb } = await import('@/db/client');
  const { getBlobStore } = await import('@/lib/blobs/open-blob-store');
  const { blobTotals } = await import('@/db/queries/blob-totals');
  const { pruneBlobs } = await import('@/lib/blobs/prune-blobs');
  try {
    const ctx = { db: getDb(), store: getBlobStore() };
    if (prune) console.log(prunedText(await pruneBlobs(ctx, { grace_ms, dry_run: dryRun }), { dryRun, olderThan }));
    for (const line of totalsText(await blobTotals(ctx.db), getConfig().blobs)) console.log(line);
  } finally {
    await closePool();
  }
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOf(text: string): number {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new Refusal(`--older-than takes a duration like 7d, 12h or 30m, not ${text}`);
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

const blobs = (count: number, bytes: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'blob' : 'blobs'}, ${(bytes / 1e6).toFixed(1)} MB`;

function prunedText(pruned: Pruned, { dryRun, olderThan }: { dryRun: boolean; olderThan: string }): string {
  const what = `${blobs(pruned.removed, pruned.removed_bytes)}, that no entry names, last put more than ${olderThan} ago`;
  if (dryRun) return `Would remove ${what}.`;
  const also = [
    pruned.registered > 0 ? `${pruned.registered} that only the store knew of are counted from now on` : null,
    pruned.left_overs > 0 ? `${pruned.left_overs} broken uploads were cleared away` : null,
  ].filter((one) => one !== null);
  return [`Removed ${what}`, ...also].join('; ').concat('.');
}

function totalsText(totals: BlobTotals, where: string): string[] {
  const lines = [
    `Blob store ${where}`,
    `  named by entries: ${blobs(totals.named, totals.named_bytes)}`,
    `  named by none:    ${blobs(totals.unnamed, totals.unnamed_bytes)}`,
  ];
  if (totals.missing === 0) return lines;
  const more = totals.missing - totals.missing_refs.length;
  return [
    ...lines,
    `  missing, though entries name them: ${totals.missing}`,
    ...totals.missing_refs.map((ref) => `    ${ref}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}
