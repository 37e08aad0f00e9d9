import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '@/db/demo/seeded';
import { type Findings, findingsOf } from './check';
import type { Victim } from './faults/victim';
import { STEPS } from './steps';
import type { World } from './world';

const BURST = 20;
/** Once every fault has stopped, a file of the spool has to come to its end within this time of the one before. */
const PATIENCE_MS = 60_000;

export interface ScheduleResult extends Findings {
  seed: number;
  /** What was done, in words, to read beside a finding. */
  steps: string[];
}

/**
 * One schedule: pipelines fail while three to seven faults come, drawn by the seed; then everything heals, the spool is
 * loaded, and the queue is compared with what the clients acknowledged.
 */
export async function runSchedule(world: World, seed: number): Promise<ScheduleResult> {
  const random = seeded(seed);
  const bursts: number[] = [];
  const steps: string[] = [];
  world.forget();
  const burst = () => {
    const id = seed * 100 + bursts.length;
    bursts.push(id);
    world.capturers[bursts.length % world.capturers.length]?.tell({ kind: 'burst', burst: id, count: BURST });
  };
  burst();
  burst();
  const count = 3 + Math.floor(random() * 5);
  for (let i = 0; i < count; i += 1) {
    await pause(random() * 60);
    const step = STEPS[Math.floor(random() * STEPS.length)];
    if (!step) continue;
    steps.push(step.name);
    await step.run(world, random);
    if (random() < 0.3) burst();
  }
  await heal(world);
  await settled(world);
  return { seed, steps, ...(await findingsOf(world, bursts, BURST)) };
}

async function heal(world: World): Promise<void> {
  world.disk?.free();
  world.postgres.thaw();
  await world.postgres.start();
  for (const proxy of [world.http, world.intake_to_postgres, world.loader_to_postgres]) {
    proxy.set({ kind: 'clear' });
    proxy.reset();
  }
  for (const victim of [world.intake, world.loader, ...world.capturers]) {
    victim.thaw();
    await victim.start();
  }
}

function finished(victim: Victim): Promise<void> {
  return new Promise((resolve) => {
    const stop = victim.on_message((message) => {
      if (message.kind !== 'idle') return;
      stop();
      resolve();
    });
    victim.tell({ kind: 'finish' });
  });
}

/**
 * Resolves when every pipeline has ended its bursts and the spool holds nothing that waits.
 * @throws Error when nothing has moved for a while, or when the loader has ended: nobody starts it again.
 */
export async function settled(world: World): Promise<void> {
  await Promise.all(world.capturers.map(finished));
  let left = Number.POSITIVE_INFINITY;
  let moved_at = performance.now();
  for (;;) {
    const waiting = readdirSync(world.spool).filter((name) => /\.ndjson(\.open)?$/.test(name));
    if (waiting.length === 0) return;
    if (waiting.length < left) moved_at = performance.now();
    left = Math.min(left, waiting.length);
    if (performance.now() - moved_at > PATIENCE_MS || !world.loader.running())
      throw new Error(`the spool does not empty: ${await stuckAt(world)}\n${waiting.join(', ')}`);
    await pause(20);
  }
}

/** What the loader and the database say of files that are not loaded. */
async function stuckAt(world: World): Promise<string> {
  const files = await world.pool.query(
    `select name, state, done_bytes, size_bytes, error, worker, lease_until from dlq.spool_file where state <> 'loaded'`,
  );
  const sessions = await world.pool.query(
    `select state, wait_event, left(query, 80) as query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return JSON.stringify({ files: files.rows, sessions: sessions.rows, loader: world.loader.running() });
}
