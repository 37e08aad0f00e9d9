import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunTally } from './run-tally';

const storage = new AsyncLocalStorage<RunTally>();

/** The run in whose call this is, through any await; undefined outside of one. */
export const currentRun = (): RunTally | undefined => storage.getStore();

export const inRun = <Result>(tally: RunTally, work: () => Result): Result => storage.run(tally, work);
