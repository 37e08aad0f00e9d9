import type { Db, Tx } from '@/db/client';
import { addRunTiles, type TileKind } from '@/db/queries/add-run-tiles';
import { getRunRows } from '@/db/queries/get-run';
import { putRun } from '@/db/queries/put-run';
import { sortLargeSets } from '@/db/queries/sort-large-sets';
import { DlqError } from '@/lib/contract/error';
import { type Run, type RunReport, runSchema } from '@/lib/contract/run';
import type { Producer } from '@/lib/contract/token';
import { MAX_TILE_ZOOM, tileKey } from '@/lib/dead-letter/tile-key';
import { queueWithinLimits } from '@/lib/tokens/within-limits';

/** Of one run, however many reports they come in. */
const MAX_TILES_A_RUN = 5_000_000;

/**
 * Takes one report about a run, made by its name (queue, run_id, task_name) where it is new, and gives the run as it is
 * known then. The same report again changes nothing; a late one takes nothing back.
 * @throws DlqError bad_request naming the member and its value; forbidden where the producer may not report it.
 */
export async function reportRun(
  { db, actor }: { db: Db; actor: { name: string; producer: Producer | null } },
  report: RunReport,
): Promise<Run> {
  const { run_id, task_name, started_at = null, finished_at = null, duration_ms = null } = report;
  const queue = queueWithinLimits(actor.producer, { queue: report.queue, task_name }) ?? 'default';
  const status = statusOf(report);
  const expected_tiles = keysOf('tiles', report.tiles ?? []);
  const succeeded_tiles = keysOf('succeeded', Array.isArray(report.succeeded) ? report.succeeded : []);
  return db.transaction(async (tx) => {
    const id = await putRun(tx, {
      queue,
      run_id,
      task_name,
      code_version: report.code_version ?? null,
      status,
      started_at,
      finished_at,
      duration_ms,
      expected: report.expected ?? null,
      succeeded: typeof report.succeeded === 'number' ? report.succeeded : null,
      dead_lettered: report.dead_lettered ?? null,
      reported_by: actor.name,
    });
    await addTiles(tx, id, 'expected', expected_tiles);
    await addTiles(tx, id, 'succeeded', succeeded_tiles);
    const [run] = await getRunRows(tx, { run_id, queue, task_name });
    return runSchema.parse(run);
  });
}

function statusOf({ status, started_at, finished_at, duration_ms }: RunReport) {
  const ends = finished_at ? 'finished_at' : typeof duration_ms === 'number' ? 'duration_ms' : null;
  if (status === 'running' && ends !== null)
    throw new DlqError('bad_request', `status: a run that is running has no ${ends} yet; say finished or failed`);
  if (started_at && finished_at && Date.parse(finished_at) < Date.parse(started_at))
    throw new DlqError('bad_request', `finished_at: ${finished_at} is before started_at, ${started_at}`);
  return status ?? (ends === null ? 'running' : 'finished');
}

function keysOf(member: string, tiles: readonly string[]): bigint[] {
  return tiles.map((tile, i) => {
    const key = tileKey(tile);
    if (key !== null) return key;
    throw new DlqError(
      'bad_request',
      `${member}: number ${i + 1}, “${tile.slice(0, 40)}”, is no tile; send z/x/y with z up to ${MAX_TILE_ZOOM} and x and y below 2^z`,
      { member, index: i },
    );
  });
}

async function addTiles(tx: Tx, run: string, kind: TileKind, keys: readonly bigint[]): Promise<void> {
  if (keys.length === 0) return;
  await sortLargeSets(tx);
  const total = await addRunTiles(tx, run, kind, keys);
  if (total > MAX_TILES_A_RUN)
    throw new DlqError(
      'unprocessable',
      `the run would have ${total} tiles; ${MAX_TILES_A_RUN} is the limit of one run`,
    );
}
