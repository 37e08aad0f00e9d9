import { parseArgs } from 'node:util';
import { MUST_BE_EMPTY } from './check';
import { canTrace, FAILING_DISK, underStrace } from './faults/strace';
import { runSchedule } from './schedule';
import { makeWorld } from './world';

const USAGE = `npm run chaos [-- --seed N] [--schedules N] [--minutes M]
Runs random schedules of faults, one in four with a disk that fails, until one finds something or all are done.`;
/** After so many the world is made anew: every fourth of these worlds has a failing disk. */
const PER_WORLD = 50;

/** Ends with exit code 1 at the first schedule that loses, doubles, masks or changes anything; says its seed and steps. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      schedules: { type: 'string' },
      minutes: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(USAGE);
  const first = Number(values.seed ?? 1_000_000);
  const count = Number(values.schedules ?? (values.minutes ? Number.POSITIVE_INFINITY : 2000));
  const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  if (![first, count].every((number) => number >= 0) || Number.isNaN(until)) throw new Error(USAGE);
  const sum = { schedules: 0, acked: 0, spooled: 0, kept_nowhere: 0 };
  for (let done = 0; done < count && performance.now() < until; done += PER_WORLD) {
    const failing = canTrace() && (done / PER_WORLD) % 4 === 3;
    const world = await makeWorld(failing ? { wrapper: underStrace(FAILING_DISK) } : {});
    try {
      for (let i = done; i < Math.min(count, done + PER_WORLD) && performance.now() < until; i += 1) {
        const result = await runSchedule(world, first + i);
        const wrong = MUST_BE_EMPTY.filter((name) => result[name].length > 0);
        if (wrong.length > 0) throw new Error(`${wrong.join(', ')}: ${JSON.stringify(result)}`);
        sum.schedules += 1;
        for (const name of ['acked', 'spooled', 'kept_nowhere'] as const) sum[name] += result[name];
      }
    } finally {
      await world.remove();
    }
    console.log(
      `${sum.schedules} schedules, nothing lost: ${sum.acked} acknowledged, ${sum.spooled} by way of the spool, ${sum.kept_nowhere} said to be kept nowhere`,
    );
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
