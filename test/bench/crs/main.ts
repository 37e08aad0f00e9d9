import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withBenchDatabase } from '../bench-database';
import { type Generated, generate } from './generate';
import { goalRows, printKinds, printSound, timeRows } from './report';
import { PRIORS, scoreMismatch, scoreSound } from './score';

/**
 * `npm run bench:crs [-- --seed N --count N --json FILE --entries FILE]`: how often the verdict and the detective are
 * right, over generated mismatches and sound entries. Ends with 1 where a goal is missed. `--entries` keeps the
 * generated entries, and takes them from there the next time.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '2000' },
      json: { type: 'string' },
      entries: { type: 'string' },
      misses: { type: 'string' },
    },
  });
  const [seed, count] = [Number(values.seed), Number(values.count)];
  const { mismatches, sound } = await entriesOf(values.entries, seed, count);
  console.log(`seed ${seed}: ${mismatches.length} mismatches, ${sound.length} sound entries`);
  // Once before, so that the registry is read and the projections are made.
  for (const entry of mismatches.slice(0, 200)) scoreMismatch(entry, 'z10');
  const outcomes = PRIORS.flatMap((prior) => mismatches.map((entry) => scoreMismatch(entry, prior)));
  const quiet = sound.map(scoreSound);
  printKinds(outcomes);
  printSound(quiet);
  const rows = goalRows(outcomes, quiet);
  console.table(rows);
  const times = timeRows(mismatches, sound);
  console.table(times);
  if (values.json) writeFileSync(values.json, `${JSON.stringify([...rows, ...times], null, 2)}\n`);
  if (values.misses) {
    const misses = [...outcomes.filter(({ rank }) => rank !== 0), ...quiet.filter(({ is_alarm }) => is_alarm)];
    writeFileSync(values.misses, misses.map((miss) => JSON.stringify(miss)).join('\n'));
  }
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
}

async function entriesOf(file: string | undefined, seed: number, count: number): Promise<Generated> {
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Generated;
  const generated = await withBenchDatabase((pool) => generate(pool, seed, count));
  if (file) writeFileSync(file, JSON.stringify(generated));
  return generated;
}

await main();
