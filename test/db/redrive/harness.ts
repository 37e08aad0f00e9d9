import { afterAll, beforeAll } from 'vitest';
import type { Db } from '@/db/client';
import { type DispatchInput, dispatch } from '@/lib/redrive/dispatch';
import type { Target } from '@/lib/redrive/targets';
import { putTask } from '@/lib/tasks/put-task';
import { cloneDatabase, type TestDatabase } from '../../support/database';
import { openEntries, seenNow, statesOf, type Unit } from '../state-machine/entries';
import { type Behaviour, TestTarget } from './target';

export const actor = { name: 'Ada', role: 'operator' as const };
export const pipeline = new TestTarget();
let database: TestDatabase;
export let db: Db;
let targets: Record<string, Target>;

export const manifest = {
  code_versions: ['v1'],
  params_schema: { type: 'object', properties: { n: { type: 'integer' } } },
  target: 'pipeline',
  idempotent: false,
  takes_references: false,
};
export const register = (task_name: string, change: Partial<Parameters<typeof putTask>[1]['manifest']> = {}) =>
  putTask({ db, actor }, { task_name, manifest: { ...manifest, ...change } });

beforeAll(async () => {
  database = await cloneDatabase();
  db = database.db;
  await pipeline.listen();
  targets = { pipeline: pipeline.target };
  await register('plain');
  await register('idempotent', { idempotent: true });
});
afterAll(async () => {
  await pipeline.close();
  await database?.drop();
});

export async function redrive(units: readonly Unit[], change: Partial<DispatchInput> = {}) {
  const items = await seenNow(db, units);
  const input = {
    items,
    operation_id: null,
    reason: 'new version',
    worker: 'w1',
    timeout_ms: 2000,
    targets,
    ...change,
  };
  return dispatch({ db, actor }, input);
}
/** One entry whose target answers so, redriven once. */
export async function redriveOne(behaviour: Behaviour, change: Partial<DispatchInput> = {}, task_name = 'plain') {
  const [unit] = await openEntries(db, 1, task_name);
  pipeline.behaviours.set(unit!.work_key, behaviour);
  const [result] = await redrive([unit!], change);
  const [state] = await statesOf(db, [unit!]);
  return { unit: unit!, result: result!, state: state!, sends: pipeline.of(unit!.work_key) };
}
