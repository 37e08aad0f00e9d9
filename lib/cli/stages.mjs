import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, signalGroup, startChild, stopChild } from './children.mjs';
import { root } from './project.mjs';
import { countReport, readReport } from './test-count.mjs';

/** @typedef {import('./test-count.mjs').Count} Count */

const bin = (...path) => join(root, 'node_modules', ...path);

/**
 * Runs a command to its end with its output as it comes; ends it, and all it started, at the limit.
 * @param {string[]} args of node
 * @param {{ env?: Record<string, string | undefined>, limitMs: number }} options
 * @returns {Promise<number | null>} exit code, null when it was ended
 */
async function runToEnd(args, { env = {}, limitMs }) {
  const child = startChild(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
  const limit = setTimeout(() => {
    console.log(`Stopped after ${limitMs / 1000} s, its limit.`);
    stopChild(child, 5_000);
  }, limitMs);
  const { code } = await ended(child);
  clearTimeout(limit);
  // What a stage leaves behind ends with it.
  signalGroup(child, 'SIGKILL');
  return code;
}

/**
 * A stage that passes or fails as one.
 * @param {string[]} args of node
 * @returns {Promise<Count>}
 */
async function runWhole(args, limitMs, env = {}) {
  const code = await runToEnd(args, { env, limitMs });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

export const lint = () =>
  runWhole([bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--no-errors-on-unmatched'], 240_000);

/** @param {{ schedules: number, env: Record<string, string>, limitMs: number }} options */
export const chaos = ({ schedules, env, limitMs }) =>
  runWhole([bin('tsx', 'dist', 'cli.mjs'), 'test/chaos/main.ts', '--schedules', String(schedules)], limitMs, env);

/** The types of routes and of style sheets are made from the tree first, so that a fresh clone and a used one agree. */
export async function types() {
  const code = await runToEnd([bin('next', 'dist', 'bin', 'next'), 'typegen'], {
    env: { NEXT_TELEMETRY_DISABLED: '1' },
    limitMs: 180_000,
  });
  if (code !== 0) return { passed: 0, failed: 1 };
  return runWhole([bin('typescript', 'bin', 'tsc'), '--noEmit', '--pretty', 'false'], 240_000);
}

/**
 * @param {'unit' | 'demo' | 'db' | 'e2e' | 'full'} project
 * @param {Record<string, string | undefined>} env
 * @param {number} limitMs
 * @returns {Promise<Count>}
 */
export async function vitest(project, env, limitMs) {
  const folder = mkdtempSync(join(tmpdir(), 'dlo-report-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runToEnd(
      [bin('vitest', 'vitest.mjs'), 'run', '--project', project, '--passWithNoTests', ...reporters],
      {
        env,
        limitMs,
      },
    );
    return countReport(readReport(report), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs stages one after the other, all of them whatever fails.
 * @param {[string, () => Promise<Count>][]} stages
 * @returns {Promise<Count>}
 */
export async function runStages(stages) {
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const [name, run] of stages) {
    const since = performance.now();
    console.log(`\n== ${name}`);
    let count;
    try {
      count = await run();
    } catch (error) {
      console.error(error?.name === 'Refusal' ? error.message : error);
      count = { passed: 0, failed: 1 };
    }
    total.passed += count.passed;
    total.failed += count.failed;
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    summary.push(
      `  ${count.failed === 0 ? '✓' : '✗'} ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`,
    );
  }
  console.log(`\n${summary.join('\n')}\n`);
  return total;
}
