import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { EXPORT_FORMATS } from '@/lib/contract/export';
import { ExportProgress } from './export-progress';
import { Refusal } from './project.mjs';

interface Options {
  format: string;
  filter: string;
  output?: string;
  force: boolean;
}

/** Of a person who stopped it, as a shell says it. */
const STOPPED = 130;

/** `dlo export`. */
export function exportCommand(): Command {
  return new Command('export')
    .description('write the entries that match as a file: csv, ndjson (to ingest again), geojson, fgb or parquet')
    .requiredOption('--format <format>', EXPORT_FORMATS.join(', '))
    .option(
      '--filter <query>',
      'what to take, as in the address of the page: "failure_class=oom&since=2026-11-01T00:00:00Z"',
      '',
    )
    .option('--output <file>', 'where to write it (default: standard output)')
    .option('--force', 'replace the file where there is one', false)
    .addHelpText(
      'after',
      '\nThe default is what is not resolved; state=any takes all. Nothing is masked: it is read as an operator reads it.' +
        '\nThe file has its name only once it is whole; Ctrl-C leaves none.',
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options);
      // a statement that is still under way holds up nobody who wants to stop
      if (process.exitCode === STOPPED) process.exit();
    });
}

async function run({ format: word, filter: query, output, force }: Options): Promise<number> {
  const format = EXPORT_FORMATS.find((one) => one === word);
  if (!format) throw new Refusal(`There is no export as “${word}”: the formats are ${EXPORT_FORMATS.join(', ')}.`);
  if (output !== undefined && existsSync(output) && !force)
    throw new Refusal(`${output} is there already. Give another --output, or --force to replace it.`);
  if (output === undefined && process.stdout.isTTY && (format === 'fgb' || format === 'parquet'))
    throw new Refusal(`${format} is no text for a terminal. Give --output FILE.`);
  const { filterFromSearch, FilterError } = await import('@/lib/contract/filter');
  const { closePool, getDb } = await import('@/db/client');
  const { exportEntries } = await import('@/lib/triage/export/export-entries');
  const { onStopSignals } = await import('./stop-signal.mjs');
  const filter = (() => {
    try {
      return filterFromSearch(new URLSearchParams(query));
    } catch (error) {
      if (error instanceof FilterError) throw new Refusal(`--filter: ${error.message}`);
      throw error;
    }
  })();
  const stopping = new AbortController();
  onStopSignals({ first: () => stopping.abort(), again: () => process.exit(STOPPED) });
  const progress = new ExportProgress(process.stderr);
  const ctx = { db: getDb(), actor: { name: 'dlo export', role: 'operator' as const } };
  const pieces = exportEntries(ctx, format, filter, (entries) => progress.read(entries));
  try {
    await (output === undefined
      ? pipeline(counted(pieces, progress), process.stdout, { signal: stopping.signal, end: false })
      : toFile(counted(pieces, progress), output, stopping.signal));
  } catch (error) {
    if (stopping.signal.aborted) {
      progress.end(output === undefined ? 'Stopped: what was written is not whole.' : 'Stopped: there is no file.');
      return STOPPED;
    }
    // whoever reads has had enough, as `head` does
    if (isCode(error, 'EPIPE') || isCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) return 0;
    if (isCode(error, 'ENOENT') || isCode(error, 'EACCES') || isCode(error, 'ENOSPC'))
      throw new Refusal((error as Error).message);
    throw error;
  } finally {
    if (!stopping.signal.aborted) await closePool();
  }
  progress.end(`Wrote ${output ?? 'to standard output'}.`);
  return 0;
}

/** Under another name until it is whole. */
async function toFile(source: Readable, output: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${output}.part`;
  try {
    await pipeline(source, createWriteStream(unfinished, { flush: true }), { signal });
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** One piece at a time, each made once the one before is written. */
function counted(pieces: AsyncIterable<string | Uint8Array>, progress: ExportProgress): Readable {
  async function* bytes() {
    for await (const piece of pieces) {
      const written = Buffer.from(piece as Uint8Array);
      progress.made(written.length);
      yield written;
    }
  }
  return Readable.from(bytes(), { highWaterMark: 1 });
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
