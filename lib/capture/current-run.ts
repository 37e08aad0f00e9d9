import { AsyncLocalStorage } from 'node:async_hooks';

/** What a run has done so far. */
export interface RunTally {
  run_id: string;
  /** By work_key, so that a unit captured twice counts once. */
  dead_lettered: Set<string>;
  succeeded_count: number;
  succeeded_tiles: Set<string>;
}

const storage = new AsyncLocalStorage<RunTally>();

/** The run in whose call this is, through any await; undefined outside of one. */
export const currentRun = (): RunTally | undefined => storage.getStore();

export const inRun = <Result>(tally: RunTally, work: () => Result): Result => storage.run(tally, work);
