import { expect, test } from 'vitest';
import { areDependenciesCurrent } from '@/lib/cli/dependencies.mjs';

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/@next/swc-darwin-arm64': { version: '16.4.6', optional: true },
  },
};

test('the same versions are current, whatever this platform leaves out', () => {
  expect(areDependenciesCurrent(lock, { packages: { 'node_modules/pg': { version: '8.23.1' } } })).toBe(true);
});

test('another version, a missing package and no installation are not current', () => {
  expect(areDependenciesCurrent(lock, { packages: { 'node_modules/pg': { version: '8.23.0' } } })).toBe(false);
  expect(areDependenciesCurrent(lock, { packages: {} })).toBe(false);
  expect(areDependenciesCurrent(lock, null)).toBe(false);
});

test('an optional package that is there counts by its version too', () => {
  const installed = {
    packages: {
      'node_modules/pg': { version: '8.23.1' },
      'node_modules/@next/swc-darwin-arm64': { version: '16.4.5' },
    },
  };
  expect(areDependenciesCurrent(lock, installed)).toBe(false);
});
