import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Refusal, root } from './project.mjs';
import { runLogged } from './steps.mjs';

/** A relative module specifier in what the compiler wrote, in an import, an export, `import()` or a type. */
const specifier = /((?:\bfrom |\bimport ?\(?)['"])(\.{1,2}\/[^'"\n]+)(['"])/g;

/**
 * Node finds a module of a package by its whole file name only, and the sources name theirs without an ending.
 * @param {string} text
 * @param {string} folder of the file
 * @returns {string}
 */
function withEndings(text, folder) {
  return text.replace(specifier, (whole, before, path, after) => {
    if (path.endsWith('.js')) return whole;
    const found = [`${path}.js`, `${path}/index.js`].find((name) => existsSync(join(folder, name)));
    if (!found) throw new Refusal(`dist: ${path}, which a file of ${folder} imports, was not compiled`);
    return `${before}${found}${after}`;
  });
}

/**
 * Compiles the client for pipelines to `dist`: JavaScript with types, for Node without a loader. Each folder is put in
 * its place by a rename, so that a build beside a running pipeline leaves no half of a file.
 * @param {{ dist?: string }} [options] `dist`: another folder to put it in
 */
export async function buildClient({ dist = join(root, 'dist') } = {}) {
  const made = join(dist, `.new-${process.pid}`);
  mkdirSync(made, { recursive: true });
  try {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await runLogged(process.execPath, [tsc, '-p', join(root, 'lib', 'capture'), '--outDir', made], {
      log: 'client',
      cwd: root,
    });
    for (const entry of readdirSync(made, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const folder = entry.parentPath ?? entry.path;
      const file = join(folder, entry.name);
      writeFileSync(file, withEndings(readFileSync(file, 'utf8'), folder));
    }
    for (const name of readdirSync(made)) {
      rmSync(join(dist, name), { recursive: true, force: true });
      renameSync(join(made, name), join(dist, name));
    }
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  buildClient().catch((error) => {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  });
}
