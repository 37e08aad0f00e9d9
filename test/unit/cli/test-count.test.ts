import { expect, test } from 'vitest';
import { countReport } from '@/lib/cli/test-count.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test('tests are counted one by one, skipped ones not at all', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'passed'), file('failed', 'failed', 'passed')] };
  expect(countReport(report, 1)).toEqual({ passed: 3, failed: 1 });
});

test('a file that could not be loaded is one failure', () => {
  expect(countReport({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 });
});

test('a file whose set-up failed is a failure although its tests were only skipped', () => {
  expect(countReport({ testResults: [file('failed', 'skipped', 'skipped')] }, 1)).toEqual({ passed: 0, failed: 1 });
});

test('a run that ended badly is a failure although every test passed', () => {
  expect(countReport({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 });
  expect(countReport(null, null)).toEqual({ passed: 0, failed: 1 });
});

test('no tests are no failure', () => {
  expect(countReport({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 0 });
});
