import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import type { SpoolFile, SpoolSource } from '@/lib/spool/spool-source';
import { IngestProgress } from './ingest-progress';

interface Options {
  dryRun: boolean;
  json: boolean;
  rejected?: string;
}

/** What the run came to; `--json` prints it. */
interface Summary {
  lines: number;
  stored: number;
  duplicates: number;
  rejected: number;
  bytes: number;
  seconds: number;
  dry_run: boolean;
  /** A signal ended it before the end. */
  stopped: boolean;
  side_files: string[];
  /** Lines that earlier runs rejected and nobody has dealt with, by file. */
  open_before: { file: string; lines: number; side_file: string }[];
  /** Files that are not loaded whole, and why. */
  left: { file: string; reason: string }[];
}

const EXIT = { all_taken: 0, some_rejected: 1, could_not_run: 2 } as const;

/** `dlo ingest`. */
export function ingestCommand(): Command {
  return new Command('ingest')
    .description('load spooled captures: files, folders, s3://bucket/prefix, or - for standard input')
    .argument('<files...>', 'NDJSON files, folders of them, or spools; a spool’s files are moved when they are loaded')
    .option('--dry-run', 'check every line and store nothing', false)
    .option('--json', 'print the summary as JSON', false)
    .option('--rejected <folder>', 'where lines that cannot be taken are kept (default: beside their files)')
    .addHelpText(
      'after',
      '\nEnds with 0 when every line was taken, 1 when some were rejected, now or before and nobody has dealt with them,' +
        '\n2 when it could not run or did not come to its end. Running it again goes on where it ended.' +
        '\n\nWhat counts once: a line with a capture_id, or with its failed_at, wherever the same text comes again. A line with' +
        '\nneither is told by its file, the time the file was written, and its number: the file as it is counts once; a copy,' +
        '\na file written anew and standard input count again.',
    )
    .action(async (addresses: string[], options: Options) => {
      process.exitCode = await ingest(addresses, options).catch((error: unknown) => {
        const known = error instanceof Error && ['DlqError', 'ConfigError', 'SourceError'].includes(error.name);
        console.error(known ? error.message : error);
        return EXIT.could_not_run;
      });
    });
}

async function ingest(addresses: string[], options: Options): Promise<number> {
  const { planIngest } = await import('@/lib/spool/plan-ingest');
  const { onStopSignals } = await import('./stop-signal.mjs');
  const stopping = new AbortController();
  onStopSignals({
    first() {
      console.error('\nStopping after this chunk. Press Ctrl-C again to force it.');
      stopping.abort();
    },
    again: () => process.exit(EXIT.could_not_run),
  });
  const sources = await planIngest({
    addresses,
    environment: process.env,
    side_folder: options.rejected,
    stdin: process.stdin,
  });
  const summary = await (options.dryRun ? check : load)(sources, stopping.signal);
  if (options.json) console.log(JSON.stringify(summary));
  else for (const line of inWords(summary)) console.log(line);
  if (summary.left.length > 0 || summary.stopped) return EXIT.could_not_run;
  return summary.rejected > 0 || summary.open_before.length > 0 ? EXIT.some_rejected : EXIT.all_taken;
}

async function load(sources: readonly SpoolSource[], signal: AbortSignal): Promise<Summary> {
  const { closePool, getDb } = await import('@/db/client');
  const { blobSink } = await import('@/lib/blobs/blob-sink');
  const { loadSource, workerName } = await import('@/lib/spool/load-source');
  const { isDatabaseUnavailable } = await import('@/lib/http/errors');
  const db = getDb();
  for (const source of sources) await source.seal?.(new Date());
  const listed = await Promise.all(sources.map((source) => source.list()));
  const progress = new IngestProgress(
    listed.flat().reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    process.stderr,
  );
  const side_files = new Set<string>();
  const left: Summary['left'] = [];
  const open_before: Summary['open_before'] = [];
  const worker = workerName(randomUUID());
  for (const [i, source] of sources.entries()) {
    const failed = new Map<string, string>();
    const run = () =>
      loadSource(
        {
          db,
          source,
          worker,
          blobs: blobSink(db),
          on_progress(file, now, began) {
            progress.on(`${source.url}/${file.name}`, began, now);
            if (now.rejected > 0) side_files.add(source.sideFile(file.name));
          },
          on_failed: (file, reason) => failed.set(file.name, reason),
        },
        signal,
      );
    let before: Summary['open_before'] | null = null;
    for (let is_away = false; !signal.aborted; ) {
      try {
        before ??= await openBefore(source, listed[i] ?? []);
        await run();
        break;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (!is_away) progress.say('The database cannot be reached; waiting for it.');
        is_away = true;
        await wait(2_000, undefined, { signal }).catch(() => {});
      }
    }
    open_before.push(...(before ?? []));
    left.push(...(await filesLeft(source, failed)));
  }
  await closePool();
  if (process.stderr.isTTY) {
    progress.show();
    process.stderr.write('\n');
  }
  return {
    ...progress.totals(),
    dry_run: false,
    stopped: signal.aborted,
    side_files: [...side_files],
    open_before,
    left,
  };

  async function openBefore(source: SpoolSource, files: readonly SpoolFile[]): Promise<Summary['open_before']> {
    const { countOpenLines } = await import('@/db/queries/count-open-lines');
    // of a spool the files with such lines have been moved away
    const names = source.moves_loaded ? null : files.map(({ name }) => name);
    const open = await countOpenLines(db, source.url, names);
    return open.map(({ name, lines, side_file }) => ({
      file: `${source.url}/${name}`,
      lines,
      side_file: side_file ?? source.sideFile(name),
    }));
  }

  async function filesLeft(source: SpoolSource, failed: ReadonlyMap<string, string>): Promise<Summary['left']> {
    if (signal.aborted) return [];
    const { listLoadedFiles } = await import('@/db/queries/list-loaded-files');
    const names = (await source.list()).map(({ name }) => name);
    const loaded = await listLoadedFiles(db, source.url, names);
    return names
      .filter((name) => !loaded.has(name))
      .map((name) => ({
        file: `${source.url}/${name}`,
        reason: failed.get(name) ?? 'another loader has it, or it was written to meanwhile; run the command again',
      }));
  }
}

/** At most this many rejected lines of a dry run are shown; the count says the rest. */
const SHOWN = 20;

async function check(sources: readonly SpoolSource[], signal: AbortSignal): Promise<Summary> {
  const { checkSource } = await import('@/lib/spool/check-source');
  const started = performance.now();
  const sum = { lines: 0, rejected: 0, bytes: 0 };
  const on = {
    signal,
    bytes: (bytes: number) => {
      sum.bytes += bytes;
    },
    rejected: (name: string, { line, reason, message }: { line: number; reason: string; message: string }) => {
      sum.rejected += 1;
      if (sum.rejected <= SHOWN) console.error(`${name}:${line}: ${reason}: ${message}`);
    },
  };
  for (const source of sources) for await (const { lines } of checkSource(source, on)) sum.lines += lines;
  if (sum.rejected > SHOWN) console.error(`… and ${sum.rejected - SHOWN} more`);
  const seconds = (performance.now() - started) / 1000;
  return {
    ...sum,
    stored: 0,
    duplicates: 0,
    seconds,
    dry_run: true,
    stopped: signal.aborted,
    side_files: [],
    open_before: [],
    left: [],
  };
}

function inWords(summary: Summary): string[] {
  const { lines, seconds, stored, duplicates, rejected } = summary;
  const rate = `${lines} lines in ${seconds.toFixed(1)} s (${Math.round(lines / Math.max(seconds, 0.001))} /s)`;
  const words = [
    summary.dry_run
      ? `${rate}: ${lines - rejected} can be taken, ${rejected} cannot. Nothing was stored.`
      : `${rate}: ${stored} stored, ${duplicates} counted before, ${rejected} rejected.`,
  ];
  if (summary.side_files.length > 0) words.push(`Rejected lines: ${summary.side_files.join(', ')}`);
  for (const { file, lines: open, side_file } of summary.open_before)
    words.push(
      `Still open from before: ${open} rejected ${open === 1 ? 'line' : 'lines'} of ${file}, kept in ${side_file}. Try them again or set them aside on the page Intake.`,
    );
  for (const { file, reason } of summary.left) words.push(`Not loaded: ${file}: ${reason}`);
  if (summary.stopped) words.push('Stopped after a chunk. Run the same command again to go on from here.');
  return words;
}
