import { Command, InvalidArgumentError } from 'commander';
import type { AttachPreview } from '@/lib/attach/preview';
import { DlqError } from '@/lib/contract/error';

interface AttachOptions {
  taskName?: string;
  queue?: string;
  map: Map<string, string>;
  chunk: number;
  dryRun?: true;
  list?: true;
}

/** `dlo attach` and `dlo detach`. */
export function attachCommands(): Command[] {
  const attach = new Command('attach')
    .description(
      'put a team’s own table under capture: what it holds comes in, what it is given from now on is captured',
    )
    .argument('[table]', 'schema.table, with quotes around names that need them')
    .option('--task-name <name>', 'task of rows that name none (default: the table’s name)')
    .option('--queue <queue>', 'queue of its entries')
    .option(
      '--map <column=field>',
      'a column that is called otherwise; “-” leaves it out; repeatable',
      addPair,
      new Map(),
    )
    .option(
      '--chunk <rows>',
      'rows of one transaction; a writer of one of them waits for it, about a second at 1000',
      whole,
      1000,
    )
    .option('--dry-run', 'show the mapping, what rows become and the statements; change nothing')
    .option('--list', 'show what is attached')
    .action(runAttach);
  const detach = new Command('detach')
    .description('take a table out of capture; its entries and their history stay')
    .argument('<table>', 'schema.table')
    .action(runDetach);
  return [attach, detach];
}

async function runAttach(name: string | undefined, options: AttachOptions): Promise<void> {
  const { closePool, getDb } = await import('@/db/client');
  const stopping = new AbortController();
  const { onStopSignals } = await import('./stop-signal.mjs');
  onStopSignals({ first: () => stopping.abort(), again: () => process.exit(1) });
  try {
    if (options.list) return await showList();
    if (!name) throw new DlqError('bad_request', 'name a table, or give --list');
    await attachTable(getDb(), name, options, stopping.signal);
  } finally {
    await closePool();
  }
}

async function attachTable(
  db: import('@/db/client').Db,
  name: string,
  options: AttachOptions,
  signal: AbortSignal,
): Promise<void> {
  const { findTable } = await import('@/lib/attach/find-table');
  const { proposeMapping } = await import('@/lib/attach/mapping');
  const facts = await findTable(db, name);
  if (facts.attached_id !== null) {
    console.log(`${name} is attached already; going on with what it held before.`);
    return takeIn(db, facts.attached_id, options.chunk, signal);
  }
  const { attachment, notes } = proposeMapping(facts, {
    map: options.map,
    task_name: options.taskName,
    queue: options.queue,
  });
  console.log(
    `${attachment.schema_name}.${attachment.table_name}: a row is ${attachment.rows_are === 'units' ? 'one unit of work' : 'one failure'}, read by ${attachment.row_key.join(', ')}.`,
  );
  for (const [field, columns] of Object.entries(attachment.mapping))
    console.log(`  ${field.padEnd(14)} ${columns.join(', ')}`);
  for (const note of notes) console.log(`  * ${note}`);
  if (options.dryRun) {
    const { previewAttach } = await import('@/lib/attach/preview');
    const preview = await previewAttach(db, attachment, {
      chunk: options.chunk,
      signal,
      on_progress: progress('Read'),
    });
    return showPreview(preview);
  }
  const { attach } = await import('@/lib/attach/attach');
  const id = await attach(db, attachment, () => console.log('Waiting for a lock on the table; its writers go first.'));
  console.log('Attached: what is written from now on is captured.');
  await takeIn(db, id, options.chunk, signal);
}

async function takeIn(db: import('@/db/client').Db, id: number, chunk: number, signal: AbortSignal): Promise<void> {
  const { backfill } = await import('@/lib/attach/backfill');
  const { countRows } = await import('@/db/queries/count-rows');
  const { listAttached } = await import('@/db/queries/attached-table');
  const table = (await listAttached(db)).find((one) => one.id === id);
  if (!table) throw new DlqError('not_found', `attachment ${id} is gone`);
  const total = await countRows(db, table.schema_name, table.table_name);
  const compared = await backfill(db, id, {
    chunk,
    total,
    done: Number(table.rows_read),
    signal,
    on_progress: progress('Taken in'),
  });
  if (!compared) {
    console.log('Stopped. The same command goes on from here; capture of new rows stays on.');
    process.exitCode = 130;
    return;
  }
  const { rows, with_entry, skipped, missing, entries, reasons } = compared;
  console.log(
    `Compared: ${rows} rows; ${with_entry} have an entry (${entries} entries), ${skipped} skipped, ${missing} missing.`,
  );
  for (const { reason, count } of reasons) console.log(`  skipped ${count}: ${reason}`);
  if (missing !== '0') {
    console.log('Rows are missing: run the same command again, and report it if they stay so.');
    process.exitCode = 1;
  }
}

function showPreview(preview: AttachPreview): void {
  console.log(`${preview.rows} rows, ${preview.attempts} failures counted by them. They would be:`);
  for (const facet of ['failure_class', 'state'] as const)
    console.log(
      `  ${facet}: ${
        Object.entries(preview[facet])
          .map(([value, count]) => `${value} ${count}`)
          .join(', ') || 'nothing'
      }`,
    );
  for (const [problem, count] of Object.entries(preview.problem)) console.log(`  ! ${count}: ${problem}`);
  for (const row of preview.sample)
    console.log(
      `  ${row.work_key} (${row.task_name}): ${row.failure_class}, ${row.state}, attempts ${row.attempts}, ${row.geometry ?? 'no geometry'}${row.src_crs ? ` in ${row.src_crs}` : ''}`,
    );
  console.log(
    `Attaching would run:\n\n${preview.statements.map((statement) => `${statement};`).join('\n\n')}\n\nNothing was changed.`,
  );
}

async function showList(): Promise<void> {
  const { getDb } = await import('@/db/client');
  const { listAttached } = await import('@/db/queries/attached-table');
  const tables = await listAttached(getDb());
  if (tables.length === 0)
    console.log('No table is attached beside geotask_dlq and failed_geotasks, which came with the product.');
  for (const table of tables) {
    const state = table.detached_at
      ? `detached ${table.detached_at}`
      : `attached ${table.attached_at}${table.relation ? '' : ', but gone'}${table.backfilled_at ? '' : `, backfill not finished (${table.rows_read} rows read)`}`;
    console.log(`${table.relation ?? `${table.schema_name}.${table.table_name}`}: ${state}; ${table.entries} entries`);
    if (table.write_back_error) console.log(`  marks cannot be written into it: ${table.write_back_error}`);
  }
}

async function runDetach(name: string): Promise<void> {
  const { closePool, getDb } = await import('@/db/client');
  const { detach } = await import('@/lib/attach/attach');
  try {
    const { entries } = await detach(getDb(), name, () => console.log('Waiting for a lock on the table.'));
    console.log(
      `${name} is out of capture. Its rows, and the ${entries} entries that came from it with their history, stay; marks no longer go either way.`,
    );
  } finally {
    await closePool();
  }
}

/** One line that moves on a terminal; a line each tenth in a log. */
function progress(word: string): (progress: { done: number; total: number }) => void {
  let shown = 0;
  return ({ done, total }) => {
    const text = `${word} ${done} of ${total} rows`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text}${done >= total ? '\n' : ''}`);
    else if (done >= total || done - shown >= total / 10) {
      console.log(text);
      shown = done;
    }
  };
}

function addPair(text: string, before: Map<string, string>): Map<string, string> {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new InvalidArgumentError('write column=field');
  return new Map([...before, [text.slice(0, at), text.slice(at + 1)]]);
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('not a number of rows');
  return value;
}
