import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from |import\()'([^'\n]+)'/g)].map(([, from = '']) => from);
}

/** Every file that the client reaches, and every module that is none of the project's. */
function reached(): { folders: Set<string>; packages: Set<string> } {
  const waiting = readdirSync(join(root, 'lib/capture')).map((file) => join(root, 'lib/capture', file));
  const seen = new Set<string>();
  const packages = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const from of importsOf(file)) {
      const path = `${join(dirname(file), from)}.ts`;
      if (from.startsWith('.') && existsSync(path)) waiting.push(path);
      else if (!from.startsWith('node:')) packages.add(from);
    }
  }
  return { folders: new Set([...seen].map((file) => relative(root, dirname(file)))), packages };
}

test('the client needs Node, and of packages only the one that signs requests to object storage', () => {
  const { folders, packages } = reached();
  const allowed = new Set(['lib/capture', 'lib/dead-letter', 'lib/object-store']);
  expect([...folders].filter((folder) => !allowed.has(folder))).toEqual([]);
  expect([...packages].filter((name) => name !== 'aws4fetch')).toEqual([]);
  expect(folders).toContain('lib/dead-letter');
});
