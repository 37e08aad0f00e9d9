import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildInputs, isBuildCurrent, sourceHash } from '@/lib/cli/build.mjs';

let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dlo-build-'));
  write('package.json', '{}');
  write('app/page.tsx', 'page');
  write('lib/wkb/read.ts', 'read');
});
afterEach(() => rmSync(root, { recursive: true }));

const stamp = () => write('.next/dlo-source-hash', sourceHash(root));

test('without a stamp the build is stale', () => {
  expect(isBuildCurrent(root)).toBe(false);
});

test('a stamp of the same sources makes the build current', () => {
  stamp();
  expect(isBuildCurrent(root)).toBe(true);
});

test.each([
  ['a changed page', () => write('app/page.tsx', 'other')],
  ['a new file', () => write('components/map.tsx', 'map')],
  ['a removed file', () => rmSync(join(root, 'lib/wkb/read.ts'))],
  ['a changed configuration', () => write('next.config.js', 'export default {}')],
])('%s makes the build stale', (_what, change) => {
  stamp();
  change();
  expect(isBuildCurrent(root)).toBe(false);
});

test('text that moves from one file to its neighbour makes the build stale', () => {
  write('app/a.ts', 'xy');
  write('app/b.ts', '');
  stamp();
  write('app/a.ts', 'x');
  write('app/b.ts', 'y');
  expect(isBuildCurrent(root)).toBe(false);
});

test('the command, migrations, tests and public files are no part of the build', () => {
  for (const path of [
    'lib/cli/start.mjs',
    'migrations/0001_a.sql',
    'test/unit/a.test.ts',
    'public/land.json',
    'biome.json',
  ])
    write(path, '');
  expect(buildInputs(root)).toEqual(['app/page.tsx', 'lib/wkb/read.ts', 'package.json']);
});
