import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
 * The client's own package: of the application's dependencies it has none. The library that signs requests to object
 * storage is left to those who spool there, so that the client installs where no registry can be reached.
 * @param {Record<string, any>} application the manifest of the whole project
 */
const manifestOf = (application) => ({
  name: application.name,
  version: application.version,
  description: 'Captures failed work of a geospatial pipeline for a Dead Letter Office',
  license: application.license,
  type: 'module',
  engines: application.engines,
  exports: { './capture': { types: './capture/index.d.ts', default: './capture/index.js' } },
  peerDependencies: { aws4fetch: `^${application.dependencies.aws4fetch}` },
  peerDependenciesMeta: { aws4fetch: { optional: true } },
});

const README = `# Dead Letter Office: the client for pipelines

    import { deadLetterOnFailure, flush } from 'dead-letter-office/capture';

    const reproject = deadLetterOnFailure({
      url: 'http://127.0.0.1:3000', task_name: 'reproject_parcels',
      payload: (parcel) => ({ work_key: parcel.key, geometry: parcel.wkb, src_crs: parcel.crs }),
    })(reprojectParcel);

Put it outside the retries; \`await flush()\` before the process exits. DLO_SPOOL_DIR names a folder for what the server
does not take; for one in a bucket (s3://bucket/prefix) also \`npm install aws4fetch\`. The server's docs: /docs/capture.
`;

/**
 * Compiles the client for pipelines to `dist/client`, a package of its own: JavaScript with types, for Node without a
 * loader. It is put in its place by a rename, so that a build beside a running pipeline leaves no half of a file.
 * @param {{ dist?: string }} [options] `dist`: another folder to put it in
 * @returns {Promise<string>} the package's folder
 */
export async function buildClient({ dist = join(root, 'dist') } = {}) {
  const made = join(dist, `.new-${process.pid}`);
  const place = join(dist, 'client');
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
    const manifest = manifestOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    writeFileSync(join(made, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(join(made, 'README.md'), README);
    copyFileSync(join(root, 'LICENSE'), join(made, 'LICENSE'));
    rmSync(place, { recursive: true, force: true });
    renameSync(made, place);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return place;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  buildClient().catch((error) => {
    console.error(error instanceof Refusal ? error.message : error);
    process.exitCode = 1;
  });
}
