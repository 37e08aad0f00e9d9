import { stopAllChildren } from './children.mjs';
import { installDependencies } from './dependencies.mjs';
import { root } from './project.mjs';
import { lint, runStages, types, vitest } from './stages.mjs';
import { onStopSignals } from './stop-signal.mjs';

/** `npm run verify`: what can be checked without a database, in under 20 s. */
async function verify() {
  await installDependencies(root);
  const { passed, failed } = await runStages([
    ['lint', lint],
    ['types', types],
    ['unit tests', () => vitest('unit', {}, 120_000)],
  ]);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

onStopSignals({ first: () => stopAllChildren(2_000).then(() => process.exit(130)), again: () => process.exit(130) });
verify().catch((error) => {
  console.error(error?.name === 'Refusal' ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
