import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TcpProxy, Weather } from '@/test/chaos/faults/tcp-proxy';
import type { Victim } from '@/test/chaos/faults/victim';
import type { World } from './world';

type Random = () => number;
export interface Step {
  name: string;
  run: (world: World, random: Random) => Promise<void> | void;
}

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T;

const HTTP_WEATHER: readonly Weather[] = [
  { kind: 'refuse' },
  { kind: 'drop_answer', holding: null },
  { kind: 'cut', after_bytes: 700 },
  { kind: 'silent' },
  { kind: 'delay', ms: 30 },
];
const DATABASE_WEATHER: readonly Weather[] = [
  { kind: 'refuse' },
  { kind: 'drop_answer', holding: 'COMMIT\0' },
  { kind: 'drop_answer', holding: 'SELECT 1\0' },
  { kind: 'cut', after_bytes: 3000 },
  { kind: 'silent' },
  { kind: 'delay', ms: 10 },
];

function weather(name: string, of: (world: World) => TcpProxy, kinds: readonly Weather[]): Step {
  return {
    name,
    run(world, random) {
      of(world).set(pick(kinds, random));
      if (random() < 0.5) of(world).reset();
    },
  };
}

function clear(name: string, of: (world: World) => TcpProxy): Step {
  return { name, run: (world) => of(world).set({ kind: 'clear' }) };
}

function kill(name: string, of: (world: World, random: Random) => Victim): Step {
  return {
    name,
    async run(world, random) {
      const victim = of(world, random);
      await victim.kill();
      // It comes back while other faults go on.
      victim.start().catch(() => {});
    },
  };
}

function freeze(name: string, of: (world: World, random: Random) => Victim): Step {
  return {
    name,
    run(world, random) {
      const victim = of(world, random);
      victim.freeze();
      setTimeout(victim.thaw, 50 + random() * 300);
    },
  };
}

const capturer = (world: World, random: Random) => pick(world.capturers, random);
const loader = (world: World) => world.loader;
const intake = (world: World) => world.intake;

/** Drawn with equal chance: what costs a restart stands once, what is cheap more often. */
export const STEPS: readonly Step[] = [
  weather('bad network to the server', (world) => world.http, HTTP_WEATHER),
  weather('bad network to the server', (world) => world.http, HTTP_WEATHER),
  weather('bad network between server and database', (world) => world.intake_to_postgres, DATABASE_WEATHER),
  weather('bad network between server and database', (world) => world.intake_to_postgres, DATABASE_WEATHER),
  weather('bad network between loader and database', (world) => world.loader_to_postgres, DATABASE_WEATHER),
  clear('good network to the server', (world) => world.http),
  clear('good network between server and database', (world) => world.intake_to_postgres),
  clear('good network between loader and database', (world) => world.loader_to_postgres),
  kill('kill -9 of a pipeline', capturer),
  kill('kill -9 of the loader', loader),
  kill('kill -9 of the server', intake),
  freeze('a pipeline freezes', capturer),
  freeze('the loader freezes', loader),
  freeze('the server freezes', intake),
  {
    name: 'the database crashes',
    async run(world) {
      await world.postgres.crash();
      await world.postgres.start();
    },
  },
  {
    name: 'the database freezes',
    run(world, random) {
      world.postgres.freeze();
      setTimeout(world.postgres.thaw, 50 + random() * 400);
    },
  },
  { name: 'the disk of the spool is full', run: (world, random) => world.disk?.fill(Math.floor(random() * 9000)) },
  { name: 'the disk of the spool is free', run: (world) => world.disk?.free() },
  { name: 'a loaded file comes again', run: replay },
  { name: 'half a file comes again, torn', run: replayTorn },
  { name: 'a waiting file changes its place in the order', run: reorder },
];

function replay(world: World, random: Random): void {
  const from = loadedFile(world, random);
  if (from) unlessFull(() => copyFileSync(from, path.join(world.spool, again(random))));
}

function replayTorn(world: World, random: Random): void {
  const from = loadedFile(world, random);
  if (!from) return;
  const bytes = readFileSync(from);
  unlessFull(() => writeFileSync(path.join(world.spool, again(random)), bytes.subarray(0, random() * bytes.length)));
}

function reorder(world: World, random: Random): void {
  const waiting = readdirSync(world.spool).filter((name) => name.endsWith('.ndjson'));
  if (waiting.length === 0) return;
  const name = pick(waiting, random);
  try {
    renameSync(path.join(world.spool, name), path.join(world.spool, again(random)));
  } catch {
    // The loader has moved it in between.
  }
}

const again = (random: Random) => `again-${Math.floor(random() * 1e9)}-0-00000000-0.ndjson`;

function loadedFile(world: World, random: Random): string | null {
  const folder = path.join(world.spool, 'loaded');
  try {
    const names = readdirSync(folder);
    return names.length === 0 ? null : path.join(folder, pick(names, random));
  } catch {
    return null;
  }
}

/** A copy that does not fit leaves its beginning: torn, as it would be anywhere. */
function unlessFull(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ['ENOSPC', 'ENOENT'].includes(String(error.code)))) throw error;
  }
}
