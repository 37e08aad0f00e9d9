import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SNIPPETS, type SnippetName, withOrigin } from '@/components/docs/snippets';
import { CLASSIFY_RULES } from '@/lib/capture/classify-rules';
import { openApp } from '../drivers/app-page';
import { launchBrowser } from '../drivers/browser';

const base_url = inject('base_url');
const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
const snippet = (name: SnippetName) => withOrigin(SNIPPETS[name], base_url);

let folder: string;
let client: pg.Client;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-docs-'));
  client = new pg.Client({ connectionString: inject('database_url') });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  rmSync(folder, { recursive: true, force: true });
});

/** What the shell prints for the text of an example. */
async function shell(text: string, environment: Record<string, string> = {}): Promise<string> {
  const dlo = `node ${path.join(root, 'lib/cli/dlo.mjs')}`;
  const { stdout } = await run('/bin/bash', ['-euo', 'pipefail', '-c', text.replaceAll('npx dlo', dlo)], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: inject('database_url'), ...environment },
    timeout: 120_000,
  });
  return stdout;
}
const jsonLines = (text: string) =>
  text
    .replaceAll('}{', '}\n{')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const entryOf = async (work_key: string) => {
  const { rows } = await client.query('select * from dlq.entry where work_key = $1', [work_key]);
  return rows[0];
};

describe('every example of the help does what it says', () => {
  test('TypeScript', async () => {
    const capture = path.join(root, 'lib/capture/index.ts');
    const retry = createRequire(import.meta.url).resolve('p-retry');
    const text = `${snippet('typescript')}
interface Parcel { key: string; wkb: Uint8Array; crs: string; params: unknown }
async function reprojectParcel(_: Parcel) { const error = new Error('side location conflict'); error.name = 'TopologyException'; throw error; }
const parcel = { key: 'docs/ts', wkb: new Uint8Array([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 64]), crs: 'EPSG:3734', params: { snap: 0.01 } };
await reproject(parcel).catch((error: Error) => console.log(error.name));
${snippet('typescript_flush').replace(/^import .*$/m, '')}`
      .replaceAll("'dead-letter-office/capture'", `'${capture}'`)
      .replace("'p-retry'", `'${retry}'`)
      .replace('{ deadLetterOnFailure }', '{ deadLetterOnFailure, flush }')
      .replace('{ retries: 3 }', '{ retries: 3, minTimeout: 1, maxTimeout: 1 }');
    writeFileSync(path.join(folder, 'docs.mts'), text);
    const tsx = path.join(root, 'node_modules/.bin/tsx');
    expect((await run(tsx, [path.join(folder, 'docs.mts')], { cwd: root })).stdout).toBe('TopologyException\n');
    expect(await entryOf('docs/ts')).toMatchObject({
      task_name: 'reproject_parcels',
      failure_class: 'invalid_geometry',
    });
  });

  test('Python', async () => {
    await shell(snippet('python_get'));
    const text = `
class stop_after_attempt:
    def __init__(self, n): pass
def retry(stop): return lambda task: task
${snippet('python').replace('    ...', "    raise ValueError('read timed out')")}
class parcel:
    key, geom, crs, params = 'docs/python', 'POINT(1 2)', 'EPSG:4326', {'snap': 0.01}
try: reproject(parcel)
except ValueError as error: print(error)`;
    expect((await run('/usr/bin/python3', ['-c', text], { cwd: folder })).stdout).toBe('read timed out\n');
    expect(await entryOf('docs/python')).toMatchObject({ task_name: 'reproject_parcels' });
  });

  test('HTTP', async () => {
    expect(jsonLines(await shell(snippet('http_one')))).toMatchObject([{ work_key: 'parcels/39/035/88213' }]);
    const many = jsonLines(await shell(snippet('http_many')));
    expect(many).toMatchObject([
      { outcome: 'created' },
      { line: 2, error: { message: expect.stringMatching(/task_nam/) } },
    ]);
    writeFileSync(path.join(folder, 'failures.ndjson'), '{"work_key":"docs/packed","task_name":"clip"}\n');
    expect(jsonLines(await shell(snippet('http_gzip')))).toMatchObject([{ work_key: 'docs/packed' }]);
    expect(jsonLines(await shell(snippet('http_id')))).toMatchObject([{ outcome: 'created' }]);
    expect(jsonLines(await shell(snippet('http_id')))).toMatchObject([{ outcome: 'duplicate' }]);
    const made = await fetch(`${base_url}/api/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'docs', task_names: ['clip'] }),
    });
    const { id, token } = await made.json();
    expect(jsonLines(await shell(snippet('http_token'), { DLO_TOKEN: token }))).toMatchObject([{ outcome: 'created' }]);
    await fetch(`${base_url}/api/tokens/${id}/revoke`, { method: 'POST' });
  });

  test('a geometry by reference', async () => {
    writeFileSync(path.join(folder, 'county.wkb'), Buffer.alloc(1_200_000, 7));
    const [stored, captured] = jsonLines(await shell(snippet('blob')));
    expect(stored).toMatchObject({ size_bytes: 1_200_000, created: true });
    expect(captured).toMatchObject({ work_key: 'counties/39' });
  });

  test('SQL, twice', async () => {
    for (const attempts of [1, 2]) {
      await client.query(SNIPPETS.sql_geotask);
      await client.query(SNIPPETS.sql_failed);
      expect(await entryOf('clip-14-4469-6114:a41f')).toMatchObject({ attempts, failure_class: 'upstream_timeout' });
    }
    const { rows } = await client.query("select attempts from geotask_dlq where work_key = 'parcels/39/035/88213'");
    expect(rows).toEqual([{ attempts: 2 }]);
  });

  test('a role and a table of one’s own', async () => {
    writeFileSync(path.join(folder, 'night_batch.pw'), 'a long random text\n');
    // a role would outlive this database: the statements alone
    expect(await shell(`${SNIPPETS.sql_role} --dry-run`)).toMatch(/dlq_compat[\s\S]*Nothing was changed/);
    await client.query(
      "create table my_failures (work_key text primary key, outline geometry, why text); insert into my_failures values ('docs/own', 'POINT(1 2)', 'out of memory')",
    );
    const said = await shell(SNIPPETS.sql_attach);
    expect(said).toMatch(/Nothing was changed[\s\S]*0 missing[\s\S]*out of capture/);
    expect(await entryOf('docs/own')).toMatchObject({ task_name: 'clip', failure_class: 'oom' });
  });

  test('files by hand', async () => {
    writeFileSync(path.join(folder, 'failures.ndjson'), '{"work_key":"docs/file","task_name":"clip"}\n');
    await shell('printf \'%s\\n\' \'{"work_key":"docs/pipe","task_name":"clip"}\' | gzip > old.ndjson.gz');
    // the bucket needs keys of its own
    const said = await shell(SNIPPETS.ingest.replace(/^.*s3:.*$/m, ''));
    expect(said).toMatch(/Nothing was stored[\s\S]*1 stored[\s\S]*1 stored/);
    expect(await entryOf('docs/pipe')).toBeDefined();
  });

  test('runs', async () => {
    const answers = jsonLines(await shell(snippet('run_http')));
    expect(answers.at(-1)).toMatchObject({ expected: 61_440, succeeded: 61_339, status: 'finished' });
    const python = `tiles = ['14/1/1', '14/1/2']\ndef clip(tile): pass\n${snippet('run_python').replaceAll('clip/2026', 'python/2026')}`;
    await run('/usr/bin/python3', ['-c', python], { cwd: folder });
    const script = `const tiles = ['14/1/1', '14/1/2']; const clip = async (_: string) => {};
${snippet('run_typescript').replaceAll('clip/2026', 'ts/2026')}`.replace(
      "'dead-letter-office/capture'",
      `'${path.join(root, 'lib/capture/index.ts')}'`,
    );
    writeFileSync(path.join(folder, 'run.mts'), script);
    await run(path.join(root, 'node_modules/.bin/tsx'), [path.join(folder, 'run.mts')], { cwd: root });
    for (const name of ['python', 'ts'])
      expect(await (await fetch(`${base_url}/api/runs/${name}%2F2026-11-30`)).json()).toMatchObject({
        status: 'finished',
        tiles: 2,
        succeeded: 2,
        missing: 0,
      });
  });
});

test('the page has its own address in every example, and each rule of the classifier', async () => {
  const browser = await launchBrowser();
  const app = await openApp(browser, base_url, { width: 390 });
  try {
    await app.page.goto('/docs/capture');
    const text = await app.page.locator('main').innerText();
    expect(text).not.toContain('dlo.invalid');
    for (const name of ['http_one', 'python', 'run_typescript'] as const) expect(text).toContain(snippet(name));
    for (const { says } of CLASSIFY_RULES) expect(text).toContain(says);
    expect(await app.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
      0,
    );
  } finally {
    await app.close();
    await browser.close();
  }
});
