import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { firstLoad } from '@/e2e/drivers/first-load';
import { root } from '@/lib/cli/project.mjs';

/** Files below a folder of the project, by their ending. */
const filesOf = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => path.join(root, folder, name));

/** Constants of the project that minified code names as they are written, as only a name that was never bound would be. */
function unboundIn(code: string, names: readonly string[]): string[] {
  const used = new RegExp(
    `(?:[=+\\-*/%<>(,[!&|?:;{}]|\\b(?:return|typeof|in|of) )(${names.join('|')})(?=[)\\];,+\\-*/%<>=&|?}.[])`,
    'g',
  );
  return [...code.matchAll(used)].map((found) => found[1] ?? '');
}

// Turbopack of Next 16.4.6 once left the import in `for (…; s += STROKE_COLUMNS)` as it stood: the page threw at runtime
test('no script of the page names a constant that was left out of it', () => {
  const sources = [...filesOf('components', /\.tsx?$/), ...filesOf('lib', /\.tsx?$/)];
  // shorter names are those that minifying gives
  const names = sources.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /^export const ([A-Z][A-Z0-9]{3,}(?:_[A-Z0-9]+)*|[A-Z]+(?:_[A-Z0-9]+)+) =/gm,
      ),
    ].map((found) => found[1] ?? ''),
  );
  expect(names).toContain('STROKE_COLUMNS');
  expect(unboundIn('for(let s=0;s<9;s+=STROKE_COLUMNS)f(a.CHUNK,"CHUNK is")', names)).toEqual(['STROKE_COLUMNS']);
  const chunks = filesOf('.next/static/chunks', /\.js$/);
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.flatMap((file) => unboundIn(readFileSync(file, 'utf8'), names))).toEqual([]);
});

test('the triage page asks for less than 350 kB of scripts before the map', async () => {
  const { scripts, gzip_bytes } = await firstLoad(inject('base_url'));
  expect(scripts).toBeGreaterThan(5);
  expect(gzip_bytes).toBeLessThan(350_000);
});
