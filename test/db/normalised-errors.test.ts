import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storableText } from '@/lib/ingest/storable-text';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

const migrations = path.join(import.meta.dirname, '../../migrations');
/** One function as a migration defined it, in the schema `first`. */
function asFirstDefined(file: string, name: string): string {
  const text = readFileSync(path.join(migrations, file), 'utf8');
  const from = text.search(new RegExp(`create (or replace )?function dlq\\.${name}\\(`));
  const end = text.indexOf('$$;', from) + 3;
  return text
    .slice(from, end)
    .replaceAll(/dlq\.(normalise_error|project_frame|signature|payload_hash)\(/g, 'first.$1(');
}

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query('create schema first');
  for (const name of ['normalise_error', 'payload_hash'])
    await database.pool.query(asFirstDefined('0004_capture.sql', name));
  await database.pool.query(asFirstDefined('0008_fast_frames.sql', 'project_frame'));
  await database.pool.query(asFirstDefined('0004_capture.sql', 'signature'));
});
afterAll(() => database?.drop());

const WORDS = [
  '550e8400-e29b-41d4-a716-446655440000',
  '550E8400-e29b',
  's3://bucket/a/b.tif',
  'postgres://u:p@h/db',
  '://',
  'http:/',
  '/srv/jobs/a.py',
  'C:\\jobs\\x\\y',
  '\\\\',
  '/',
  '\\',
  '1',
  '-1.5e-3',
  '+2',
  '1e',
  '1.',
  '.5',
  'NaN',
  'inf',
  'Infinity',
  '-inf',
  'information',
  'nan',
  'a1',
  '1a',
  'deadbeef0001',
  'DEADBEEFDEADBEEF',
  'abcdefabcdefabcdef',
  '123456789012345678',
  '#',
  '##',
  '# #',
  '#,#',
  '(#)',
  '(',
  ')',
  '(1, 2)',
  '(1 2, 3 4)',
  '(#,',
  ' ',
  '  ',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '…',
  'é',
  '٣',
  '１２',
  '\u2028',
  '\u00a0',
  '<id>',
  '-',
  "'",
  '"',
  'side location conflict at',
  'm3',
];
const FRAMES = [
  'File "',
  'File "/srv/a.py", line 3, in cut',
  'File "/srv/a.py", line 3, in cut, in two',
  'File "", line 3, in x',
  'File "a"b.py", line 3, in x',
  'File "x", line ٣, in f',
  'File "x", line 3, in ',
  'File "x", line , in f',
  'File "y", linefile "z", line 1, in g',
  'File "C:\\jobs\\clip.py", line 4, in <lambda>',
  'File "/usr/lib/python3.11/site-packages/shapely/ops.py", line 9, in union',
  'File "/a/dist-packages/x.py", line 1, in y',
  'File "x/", line 1, in z',
  'File "x", line 1, in é\u00a0w',
  '    at f (/srv/a.js:1:2)',
  '    at async Overlay.run [as go] (file:///srv/overlay.mjs:12:4)',
  'at /srv/b.js:3:4',
  '    at x (/a/node_modules/b.js:1:1)',
  '    at process (node:internal/x:1:2)',
  '    at node:1:1',
  'at ',
  '\tat q\\w\\e.js:1:2',
  '  ',
  'boom',
  '"',
  ', line 1, in k',
  '\r',
];
const prose = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  ),
  { maxLength: 14 },
);
const joint = fc.constantFrom('', ' ');

const error_text = fc.tuple(prose, joint).map(([parts, by]) => storableText(parts.join(by)));
const traceback = fc
  .array(
    fc.array(fc.constantFrom(...FRAMES), { maxLength: 3 }).map((parts) => parts.join('')),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

test('errors are grouped by the same signature as ever', async () => {
  const errors = [
    ...fc.sample(error_text, 3000),
    '',
    ' '.repeat(3000),
    '#'.repeat(3000),
    '1 '.repeat(2000),
    `${'x'.repeat(1998)}12`,
  ];
  const { rows } = await database.pool.query(
    'select t, first.normalise_error(t) as before, dlq.normalise_error(t) as now from unnest($1::text[]) t where first.normalise_error(t) is distinct from dlq.normalise_error(t)',
    [errors],
  );
  expect(rows).toEqual([]);
  const traces = fc.sample(traceback, 3000);
  const found = await database.pool.query(
    `select t, first.project_frame(t) as before, dlq.project_frame(t) as now from unnest($1::text[]) t where first.project_frame(t) is distinct from dlq.project_frame(t)`,
    [traces],
  );
  expect(found.rows).toEqual([]);
  const signed = await database.pool.query(
    `select e, t from unnest($1::text[], $2::text[]) x (e, t) where first.signature(null, e, t) is distinct from dlq.signature(null, e, t)
       or first.signature(e, null, null) is distinct from dlq.signature(e, null, null)`,
    [errors.slice(0, 500), traces.slice(0, 500)],
  );
  expect(signed.rows).toEqual([]);
});

test('the frames of the corpus are found at all', async () => {
  const { rows } = await database.pool.query(
    "select count(*) filter (where dlq.project_frame(t) <> '')::integer as found from unnest($1::text[]) t",
    [fc.sample(traceback, 500)],
  );
  expect(rows[0].found).toBeGreaterThan(150);
});
