import { ensureBuilt } from './build.mjs';
import { stopAllChildren } from './children.mjs';
import { installDependencies } from './dependencies.mjs';
import { root } from './project.mjs';
import { chaos, lint, runStages, types, vitest } from './stages.mjs';
import { step } from './steps.mjs';
import { onStopSignals } from './stop-signal.mjs';
import { provideTestRequirements } from './test-requirements.mjs';
import { startThrowawayCluster } from './throwaway-cluster.mjs';

const minute = 60_000;

/** What all stages with a database share; it ends with this process, however that ends. */
let cluster = { url: process.env.DLO_TEST_DATABASE_URL ?? '', stop: async () => {} };

async function build() {
  await ensureBuilt();
  return { passed: 1, failed: 0 };
}

/** What takes longer than a change should wait: `npm run test:full`. */
const full = process.argv.includes('--full');

/** `npm test`: provides everything it needs, then runs everything a change must pass. */
async function test() {
  console.log('Dead Letter Office: tests');
  await provideTestRequirements();
  await installDependencies(root);
  if (!cluster.url) cluster = await step('PostgreSQL for the tests', startThrowawayCluster);
  const env = { DLO_TEST_DATABASE_URL: cluster.url };
  return runStages([
    ['lint', lint],
    ['build', build],
    ['types', types],
    ['unit tests', () => vitest('unit', {}, 6 * minute)],
    ['tests of the demo', () => vitest('demo', {}, 8 * minute)],
    ['database and HTTP tests', () => vitest('db', env, 15 * minute)],
    ['browser tests', () => vitest('e2e', env, 20 * minute)],
    ...(full ? fullStages(env) : []),
  ]);
}

/** @param {{ DLO_TEST_DATABASE_URL: string }} env */
function fullStages(env) {
  return [
    ['browser tests over a million entries', () => vitest('full', env, 30 * minute)],
    ['random fault schedules', () => chaos({ schedules: 500, env, limitMs: 40 * minute })],
  ];
}

async function main() {
  let total;
  try {
    total = await test();
  } catch (error) {
    console.error(error?.name === 'Refusal' ? error.message : error);
    total = { passed: 0, failed: 1 };
  }
  await stopAllChildren(5_000);
  await cluster.stop();
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

onStopSignals({
  first: () => Promise.all([stopAllChildren(5_000), cluster.stop()]).then(() => process.exit(130)),
  again: () => process.exit(130),
});
main();
