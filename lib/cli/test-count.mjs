import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Count */

/**
 * Counts one run of vitest. A file that could not be loaded has no tests to count and is one failure; so is a run that
 * ended badly although no test says so (an unhandled error, a failed set-up, a crash).
 * @param {{ testResults?: { status: string, assertionResults: { status: string }[] }[] } | null} report null: none was written
 * @param {number | null} exitCode
 * @returns {Count}
 */
export function countReport(report, exitCode) {
  let [passed, failed] = [0, 0];
  for (const file of report?.testResults ?? []) {
    const own = (status) => file.assertionResults.filter((test) => test.status === status).length;
    passed += own('passed');
    const broken = own('failed');
    failed += broken === 0 && file.status === 'failed' ? 1 : broken;
  }
  if (failed === 0 && exitCode !== 0) failed = 1;
  return { passed, failed };
}

/** @param {string} file written by vitest's JSON reporter */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
