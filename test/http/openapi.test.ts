import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import * as nowhere from '@/app/api/[...path]/route';
import { GET } from '@/app/api/openapi.json/route';
import { API_OPERATIONS } from '@/lib/http/api-operations';
import { openApiDocument } from '@/lib/http/openapi';
import { send } from '@/test/support/http';

vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
vi.stubEnv('DLO_LOG_LEVEL', 'silent');

const root = path.join(import.meta.dirname, '../..');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `method path` of every exported handler of a route file, `[name]` written `{name}`. */
function handlers(): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'app'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file.endsWith('/route.ts') && !file.includes('[...'));
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const folder = path.posix
      .dirname(file.slice('app'.length))
      .replace(/\/\([^)]+\)/g, '')
      .replace(/\[([^\]]+)\]/g, '{$1}');
    return METHODS.filter((method) =>
      new RegExp(
        `^export (const ${method}\\b|(async )?function ${method}\\b|\\{[^}]*\\b${method}\\b[^}]*\\})`,
        'm',
      ).test(text),
    ).map((method) => `${method.toLowerCase()} ${folder}`);
  });
}

test('the document has every handler of the route files, and no other', () => {
  const described = API_OPERATIONS.map(({ method, path: where }) => `${method} ${where}`);
  expect(described.toSorted()).toEqual(handlers().toSorted());
});

test('is served as OpenAPI 3.1 with parameters, bodies, answers and errors', async () => {
  const answer = await send(GET);
  expect(answer.status).toBe(200);
  const document = answer.json as ReturnType<typeof openApiDocument>;
  expect(document.openapi).toBe('3.1.0');
  expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument({ version: document.info.version }))));
  const capture = document.paths?.['/api/dead-letters']?.post;
  expect(capture?.requestBody).toMatchObject({ content: { 'application/x-ndjson': {} } });
  expect(capture?.responses).toMatchObject({
    200: {},
    default: { description: expect.stringContaining('too_large 413') },
  });
  const one = document.paths?.['/api/dead-letters/{id}']?.get;
  expect(one?.parameters).toMatchObject([{ in: 'path', name: 'id', required: true }]);
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(
    expect.arrayContaining(['Capture', 'Entry', 'Error']),
  );
});

test('an address that is none is answered in JSON, under a foreign name too', async () => {
  const params = { path: 'nothing' };
  expect(Object.keys(nowhere).toSorted()).toEqual(METHODS.toSorted());
  for (const [method, handler] of Object.entries(nowhere)) {
    const answer = await send(handler, { method, params });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ error: { code: 'not_found' } });
  }
  expect((await send(nowhere.GET, { headers: { host: 'evil.example' } })).status).toBe(403);
});

test('every placeholder of a path is described, and nothing refers to a schema that is not there', () => {
  for (const { path: where, params = {} } of API_OPERATIONS)
    expect(Object.keys(params), where).toEqual([...where.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const document = openApiDocument({ version: '0' });
  for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(document.components?.schemas).toHaveProperty(String(name));
});
