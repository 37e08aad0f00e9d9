import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { psqlSnippet, pythonSnippet, type Reproduction } from '@/components/evidence/reproduce.model';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

const run = promisify(execFile);
const BOW_TIE =
  '010300000001000000050000000000000000000000000000000000000000000000000000400000000000000040000000000000004000000000000000000000000000000000000000000000004000000000000000000000000000000000';
/** What would break out of a literal, a statement, a line or the terminal if it were anything but text. */
const HOSTILE = [
  `EPSG:4326'; drop table dlq.entry; --`,
  `\\'; drop table dlq.entry; --`,
  `"; __import__("os").abort()  #`,
  `\\"""\n__import__("os").abort()\n"""`,
  'EPSG:4326\n\\! touch /tmp/dlo-broke-out\n',
  "$$ || (select 1) || $$ :'wkb' :wkb `id`",
  '‮4326:GSPE\u001b[31m😀\u0007',
  `%s {} {0} \\u0027 \\x27 \${HOME}`,
];

let database: TestDatabase;
let server: Server;
let origin: string;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.end(Buffer.from(BOW_TIE, 'hex'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await database?.drop();
});

const given = (part: Partial<Reproduction>): Reproduction => ({
  id: '42',
  hex: BOW_TIE,
  origin,
  src_crs: 'EPSG:32617',
  claim_id: null,
  target_crs: null,
  ...part,
});

/** psql goes on after an error, as it does for a person; what it says of one comes with the rest. */
async function psql(text: string): Promise<string> {
  const child = execFile('psql', ['-X', '-A', '-t', '-f', '-', database.url], {
    env: { ...process.env, DLO_TOKEN: 't0ken' },
  });
  let said = '';
  child.stdout?.on('data', (chunk) => (said += chunk));
  child.stderr?.on('data', (chunk) => (said += chunk));
  child.stdin?.end(text);
  await new Promise((resolve) => child.on('close', resolve));
  return said;
}

const python = async (text: string) =>
  (await run('/usr/bin/python3', ['-c', text], { env: { ...process.env, DLO_TOKEN: 't0ken' } })).stdout;
const entries = async () => (await database.pool.query('select count(*)::int as n from dlq.entry')).rows[0].n;

describe('the snippet for psql', () => {
  test('names the fault that PostGIS finds and where the claim puts it', async () => {
    const said = await psql(psqlSnippet(given({})));
    expect(said).toContain('ST_Polygon|0|5');
    expect(said).toContain('f|Self-intersection|POINT(1 1)');
    expect(said).toMatch(/POLYGON\(\(-85\.48\d+ 0/);
    expect(said).not.toContain('ERROR');
  });

  test('says how the claim fails, and takes the registry’s name for a spelling that PROJ does not know', async () => {
    expect(await psql(psqlSnippet(given({ src_crs: 'EPSG:999999' })))).toMatch(/ERROR: .*could not/s);
    expect(await psql(psqlSnippet(given({ src_crs: '32617', claim_id: 'EPSG:32617' })))).not.toContain('ERROR');
    expect(await psql(psqlSnippet(given({ src_crs: null })))).toMatch(/ERROR: .*SRID/s);
  });

  test.each(HOSTILE)('keeps a hostile claim a text: %j', async (src_crs) => {
    const text = psqlSnippet(given({ src_crs, target_crs: src_crs }));
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(text.split('\n').length).toBe(psqlSnippet(given({})).split('\n').length);
    const said = await psql(`${text}\nselect 'same', :'src_crs' = ${sqlOf(src_crs)};`);
    expect(said).toContain('f|Self-intersection|POINT(1 1)');
    expect(said).toContain('same|t');
    expect(await entries()).toBe(0);
  });

  test('downloads what is too large to stand in it, with the token of who runs it', async () => {
    const said = await psql(psqlSnippet(given({ hex: null })));
    expect(said).toContain('f|Self-intersection|POINT(1 1)');
    expect(asked.at(-1)).toBe('/api/dead-letters/42/geometry?format=wkb Bearer t0ken');
  });
});

describe('the snippet for Python', () => {
  test('names the fault that shapely finds and where pyproj puts it', async () => {
    const said = await python(pythonSnippet(given({})));
    expect(said).toContain('geometry: POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))');
    expect(said).toContain('validity: Self-intersection[1 1]');
    expect(said).toContain('claim: WGS 84 / UTM zone 17N');
    expect(said).toMatch(/reprojected: POLYGON \(\(-85\.48/);
  });

  test('says how each step fails, and goes on', async () => {
    const said = await python(pythonSnippet(given({ hex: '0103', src_crs: 'EPSG:999999' })));
    expect(said).toMatch(/^geometry: \w*Error: /m);
    expect(said).toMatch(/^claim: CRSError: /m);
    expect(said).toMatch(/^reprojected: CRSError: /m);
    expect(await python(pythonSnippet(given({ src_crs: null })))).toMatch(/^claim: CRSError/m);
  });

  test.each(HOSTILE)('keeps a hostile claim a text: %j', async (src_crs) => {
    const text = pythonSnippet(given({ src_crs, target_crs: src_crs }));
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    const said = await python(`${text}\nprint("same:", src_crs.encode().hex())`);
    expect(said).toContain(`same: ${Buffer.from(src_crs).toString('hex')}`);
    expect(said).toContain('validity: Self-intersection[1 1]');
  });

  test('downloads what is too large to stand in it, with the token of who runs it', async () => {
    expect(await python(pythonSnippet(given({ hex: null })))).toContain('validity: Self-intersection[1 1]');
    expect(asked.at(-1)).toBe('/api/dead-letters/42/geometry?format=wkb Bearer t0ken');
  });
});

/** The same text made from its bytes, which no quoting can spoil. */
const sqlOf = (text: string) => `convert_from('\\x${Buffer.from(text).toString('hex')}'::bytea, 'UTF8')`;
