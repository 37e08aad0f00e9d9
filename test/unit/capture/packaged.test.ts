import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildClient } from '@/lib/cli/build-client.mjs';
import { captureSink } from './capture-sink';

// The compiler and Node run as processes of their own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const run = promisify(execFile);
let project: string;
let packed: { filename: string; size: number; files: { path: string }[] };

/** An empty project into which npm installed the package, with no registry to ask. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'dlo-consumer-'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  const built = await buildClient({ dist: join(project, 'dist') });
  const { stdout } = await run('npm', ['pack', '--json', built], { cwd: project });
  [packed] = JSON.parse(stdout);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`], { cwd: project });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the package is small, installs alone, and says under which terms and with which Node', () => {
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['dead-letter-office']);
  expect(packed.size).toBeLessThan(120_000);
  const names = packed.files.map((file) => file.path);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  expect(names.filter((name) => !/^(capture|dead-letter|object-store)\/[\w-]+\.(js|d\.ts)$/.test(name)).sort()).toEqual(
    ['LICENSE', 'README.md', 'package.json'],
  );
  const made = JSON.parse(readFileSync(join(project, 'node_modules/dead-letter-office/package.json'), 'utf8'));
  const { version, license, engines } = manifest;
  expect(made).toMatchObject({ name: 'dead-letter-office', type: 'module', version, license, engines });
  expect(made).not.toHaveProperty('dependencies');
});

test('a spool in a bucket without its library is told, with what to install', async () => {
  const script = `
    import { openSpool } from 'dead-letter-office/capture';
    openSpool({ where: 's3://bucket/prefix', warn: (text) => console.log(text) });
  `;
  writeFileSync(join(project, 'bucket.js'), script);
  const { stdout } = await run(process.execPath, ['bucket.js'], { cwd: project });
  expect(stdout).toMatch(/s3:\/\/bucket\/prefix cannot be used: .*npm install aws4fetch/);
});

test('a plain script captures with it: no loader, no other package', async () => {
  const sink = await captureSink();
  const script = `
    import { deadLetterOnFailure, withRun } from 'dead-letter-office/capture';
    const reproject = deadLetterOnFailure({
      url: process.env.URL_OF_SINK,
      payload: (parcel) => ({ work_key: parcel.key, geometry: parcel.wkb, src_crs: 'EPSG:32122' }),
    })(async function reproject_parcels(parcel) {
      throw new RangeError('no bounds for ' + parcel.key);
    });
    await reproject({ key: 'parcels/1', wkb: new Uint8Array([1, 1, 0, 0, 0]) }).catch((error) => console.log(error.message));
    console.log(typeof withRun);
  `;
  writeFileSync(join(project, 'script.js'), script);
  const { stdout } = await run(process.execPath, ['script.js'], {
    cwd: project,
    env: { ...process.env, URL_OF_SINK: sink.url },
  });
  await sink.close();
  expect(stdout).toBe('no bounds for parcels/1\nfunction\n');
  expect(sink.captures).toMatchObject([
    { work_key: 'parcels/1', task_name: 'reproject_parcels', geom_wkb: '0101000000', error_type: 'RangeError' },
  ]);
});

test('a TypeScript project is told the types of its tasks, and of its mistakes', async () => {
  mkdirSync(join(project, 'node_modules/@types'), { recursive: true });
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  const good = `
    import { CLASSIFY_RULES, deadLetterOnFailure, withRun, type CapturePayload, type ClassifyRule } from 'dead-letter-office/capture';
    interface Parcel { key: string; wkb: Uint8Array }
    const options = { url: 'http://127.0.0.1:3000', payload: (parcel: Parcel): CapturePayload => ({ work_key: parcel.key }) };
    const later: (parcel: Parcel) => Promise<number> = deadLetterOnFailure(options)(async (parcel: Parcel) => parcel.wkb.length);
    const tiles: (parcel: Parcel) => Generator<number, string> = deadLetterOnFailure(options)(function* (parcel: Parcel) {
      yield parcel.wkb.length;
      return 'done';
    });
    const rules: readonly ClassifyRule[] = CLASSIFY_RULES;
    const done: Promise<number> = withRun({ url: '', task_name: 't', tiles: ['0/0/0'] }, async (run) => (run.succeeded('0/0/0'), 7));
    export { done, later, rules, tiles };
  `;
  const bad = `
    import { deadLetterOnFailure } from 'dead-letter-office/capture';
    deadLetterOnFailure({ url: '', payload: (key: string) => ({ work_kei: key }) });
    deadLetterOnFailure({ url: '', payload: (key: string) => ({ work_key: key }) })((key: number) => key);
  `;
  writeFileSync(join(project, 'good.ts'), good);
  writeFileSync(join(project, 'bad.ts'), bad);
  const check = async (file: string) => {
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', file];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, ...args], { cwd: project }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
  };
  expect(await check('good.ts')).toBe('');
  const complaints = await check('bad.ts');
  expect(complaints.match(/bad\.ts\(\d+/g)).toEqual(['bad.ts(3', 'bad.ts(4']);
});
