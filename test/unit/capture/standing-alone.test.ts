import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the client needs nothing but Node: no package, no path alias, of the rest only the vocabulary', () => {
  const folder = join(import.meta.dirname, '../../../lib/capture');
  const imported = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from = '']) => from),
  );
  expect(imported.length).toBeGreaterThan(10);
  const outside = imported.filter((from) => !from.startsWith('node:') && !from.startsWith('./'));
  expect(new Set(outside)).toEqual(new Set(['../dead-letter/vocabulary']));
});
