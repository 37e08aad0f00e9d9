import type pg from 'pg';
import { connectToFollow } from '@/lib/follow/connect';
import { Follower } from '@/lib/follow/follower';
import type { Copy } from '@/lib/follow/index-copy';
import type { ComboRow, EntryRow } from '@/lib/index/query';

/** The simplest copy there can be: what must be in the index, too. */
export class MapCopy implements Copy {
  readonly rows = new Map<number, EntryRow>();
  readonly combos = new Map<number, ComboRow>();

  hasCombo(id: number): boolean {
    return this.combos.has(id);
  }
  addCombo(row: ComboRow): void {
    this.combos.set(row.id, row);
  }
  put(row: EntryRow): void {
    if (!this.combos.has(row.combo)) throw new Error(`combo ${row.combo} was not added`);
    this.rows.set(row.entry_id, row);
  }
  remove(entry_id: number): void {
    this.rows.delete(entry_id);
  }
}

/** A follower of a database, and what it has logged. */
export function followerOf(url: string, { connect = () => connectToFollow(url), idle_ms = 20 } = {}) {
  const logged: string[] = [];
  let changed = () => {};
  const follower = new Follower({
    connect,
    make: () => new MapCopy(),
    changed: () => changed(),
    log: (_level, _fields, message) => logged.push(message),
    describe: (error) => ({ message: String(error) }),
    idle_ms,
  });
  /** Resolves once this holds; looked at whenever the follower says that it has changed. */
  const until = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      changed = () => {
        if (holds()) resolve();
      };
      changed();
    });
  const running = follower.run();
  const stop = async () => {
    await follower.stop();
    await running;
  };
  return { follower, logged, until, stop };
}

/** A few of the entries that the copy has otherwise than the table, or not at all, or still: none where it is in step. */
export async function differences(pool: pg.Pool, copy: MapCopy | null): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws('|', entry_id, combo, state, reopen_count > 0,
       case when isfinite(failed_at) then trunc(extract(epoch from failed_at) * 1000000)::text else failed_at::text end,
       coalesce(cell, -1), coalesce(public_cell, -1)) as line
     from dlq.state`,
  );
  const there = new Set(rows.map(({ line }) => line));
  const here = new Set([...(copy?.rows.values() ?? [])].map(lineOf));
  return [...there, ...here].filter((line) => !there.has(line) || !here.has(line)).slice(0, 5);
}

function lineOf({ entry_id, combo, state, reopened, failed_at_us, cell, public_cell }: EntryRow): string {
  const at = String(failed_at_us).replace('Infinity', 'infinity');
  return [entry_id, combo, state, reopened ? 't' : 'f', at, cell ?? -1, public_cell ?? -1].join('|');
}
