import { defineConfig } from 'vitest/config';

/** Six projects: unit tests are pure and quick; demo runs the demo's pipeline; db and http clone a template database; e2e drives the built app in Chromium, full does so over a million entries. */
export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname } },
  test: {
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 30_000,
          // pure tests share one set of loaded modules: 10 s instead of 21 s
          pool: 'threads',
          isolate: false,
          unstubEnvs: true,
        },
      },
      { extends: true, test: { name: 'demo', include: ['test/demo/**/*.test.ts'], testTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['test/db/**/*.test.ts', 'test/http/**/*.test.ts', 'test/chaos/**/*.test.ts'],
          globalSetup: ['test/support/template-database.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // tests wait for deadlines more than they compute: a third file fills the gaps of two cores
          maxWorkers: 3,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/specs/**/*.test.ts'],
          globalSetup: ['e2e/drivers/running-app.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'full',
          include: ['e2e/full/**/*.test.ts'],
          globalSetup: ['e2e/full/two-queues.ts'],
          testTimeout: 300_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
