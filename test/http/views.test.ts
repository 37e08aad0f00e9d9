import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closePool } from '@/db/client';
import { errorSchema } from '@/lib/contract/error';
import { MAX_VIEWS, type View, viewListSchema, viewSchema } from '@/lib/contract/view';
import { actorOf } from '@/lib/http/actor';
import { API_OPERATIONS } from '@/lib/http/api-operations';
import type { RouteHandler } from '@/lib/http/route';
import { createView } from '@/lib/views/create-view';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { send } from '@/test/support/http';

vi.mock('@/lib/http/actor', { spy: true });

let database: TestDatabase;
let views: { GET: RouteHandler; POST: RouteHandler };
let view: { PUT: RouteHandler; DELETE: RouteHandler };

beforeAll(async () => {
  database = await cloneDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DLO_LOG_LEVEL', 'silent');
  views = await import('@/app/api/views/route');
  view = await import('@/app/api/views/[id]/route');
});
afterAll(async () => {
  await closePool();
  await database.drop();
});

const save = async (name: string, search = '?failure_class=oom'): Promise<View> => {
  const { json } = await send(views.POST, { body: { name, search } });
  return viewSchema.parse(json);
};
const put = (id: string, body: Record<string, unknown>) => send(view.PUT, { method: 'PUT', params: { id }, body });
const remove = (one: Pick<View, 'id' | 'version'>) =>
  send(view.DELETE, { method: 'DELETE', params: { id: one.id }, path: `/?version=${one.version}` });
const list = async () => viewListSchema.parse((await send(views.GET)).json);
const problem = (json: unknown) => errorSchema.parse(json).error;

describe('a saved view', () => {
  test('keeps a name of any text and the search part of an address as they are, also of conditions that nobody knows', async () => {
    const name = `<b onclick="x()">Ohio's “bad” parcels</b> 🗺 '; drop table dlq.saved_view; --`;
    const search = '?failure_class=crs_mismatch&colour=red&src_crs=%E2%88%85&queue=nightly';
    const made = await save(name, search);
    expect(made).toMatchObject({ name, search, queue: 'nightly', created_by: 'operator', version: '1' });
    const { items, most } = await list();
    expect(most).toBe(MAX_VIEWS);
    expect(items).toContainEqual(made);
    await remove(made);
  });

  test.each([
    ['without a name', { name: '  ' }],
    ['with a name that nobody can see', { name: '\u200b\u2060' }],
    ['with a name of 81 characters', { name: '🗺'.repeat(81) }],
    ['with a name that no column holds', { name: 'a\0b' }],
    ['with half a character in its name', { name: 'a\ud800' }],
    ['of another site', { search: 'https://evil.example/' }],
    ['with a fragment', { search: '?state=open#top' }],
    ['with a line break in its address', { search: '?state=\n' }],
    ['of an endless address', { search: `?q=${'a'.repeat(20_000)}` }],
    ['with a member that nobody asked for', { owner: 'somebody' }],
  ])('is refused %s', async (_, wrong) => {
    const { status, json } = await send(views.POST, { body: { name: 'right', search: '', ...wrong } });
    expect(status).toBe(400);
    expect(problem(json).message).toContain(Object.keys(wrong)[0]);
  });

  test('takes 80 characters, whatever they are stored in', async () => {
    const made = await save('🗺'.repeat(80));
    expect([...made.name]).toHaveLength(80);
    await remove(made);
  });

  test('has a name that no other of its owner and queue has, in any case; a deleted one leaves it', async () => {
    const first = await save('This week');
    const again = await send(views.POST, { body: { name: 'THIS WEEK', search: '' } });
    expect([again.status, problem(again.json).code]).toEqual([409, 'conflict']);
    const elsewhere = await save('This week', '?queue=nightly');
    const colleague = await createView(
      { db: database.db, actor: { name: 'colleague' } },
      { name: 'this week', search: '' },
    );
    expect(colleague.created_by).toBe('colleague');
    const moved = await put(elsewhere.id, { name: 'This week', search: '', version: elsewhere.version });
    expect(moved.status).toBe(409);
    await remove(first);
    const next = await save('This week');
    expect(next.id).not.toBe(first.id);
    for (const one of [elsewhere, colleague, next]) expect((await remove(one)).status).toBe(200);
  });

  test('is changed by who saw its version, and says who was faster to others', async () => {
    const made = await save('Mine');
    const changed = await put(made.id, { name: 'Renamed', search: '?state=any', version: made.version });
    expect(changed.json).toMatchObject({ id: made.id, name: 'Renamed', search: '?state=any', version: '2' });
    const late = await put(made.id, { name: 'Late', search: '', version: made.version });
    expect(late.status).toBe(409);
    expect(problem(late.json).message).toMatch(/^operator changed “Renamed” at 20/);
    expect((await remove(made)).status).toBe(409);
    expect((await list()).items.map(({ name }) => name)).toEqual(['Renamed']);
    await remove(viewSchema.parse(changed.json));
  });

  test('is there again after its deletion is undone, unless its name was taken', async () => {
    const made = await save('Back again');
    const gone = viewSchema.parse((await remove(made)).json);
    expect((await list()).items).toEqual([]);
    expect(problem((await remove(gone)).json).message).toContain('operator deleted “Back again”');
    const back = await put(made.id, { name: made.name, search: made.search, version: gone.version });
    expect(back.json).toMatchObject({ id: made.id, name: 'Back again', search: made.search });
    const gone_again = viewSchema.parse((await remove(viewSchema.parse(back.json))).json);
    const other = await save('Back again');
    expect((await put(made.id, { name: made.name, search: '', version: gone_again.version })).status).toBe(409);
    await remove(other);
  });

  test('that nobody saved is not found', async () => {
    for (const id of ['999999', 'x', '99999999999999999999']) {
      expect((await put(id, { name: 'x', search: '', version: '1' })).status).toBe(404);
      expect((await remove({ id, version: '1' })).status).toBe(404);
    }
    expect((await send(view.DELETE, { method: 'DELETE', params: { id: '1' }, path: '/?version=x' })).status).toBe(400);
  });

  test('is the last of 500: another is refused until one is deleted, also when many come at once', async () => {
    await database.pool.query(
      `insert into dlq.saved_view (name, search, created_by, changed_by)
       select 'view ' || n, '', 'someone', 'someone' from generate_series(1, $1::integer) n`,
      [MAX_VIEWS - 1],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => send(views.POST, { body: { name, search: '' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(problem(refused?.json).message).toBe('there are 500 views, the most that are kept: delete one first');
    await database.pool.query('delete from dlq.saved_view');
  });

  test('is read by a viewer and written by an operator', async () => {
    vi.mocked(actorOf).mockResolvedValue({ name: 'reader', role: 'viewer', by: 'loopback', producer: null });
    expect((await send(views.GET)).status).toBe(200);
    expect((await send(views.POST, { body: { name: 'x', search: '' } })).status).toBe(403);
    expect((await put('1', { name: 'x', search: '', version: '1' })).status).toBe(403);
    expect((await remove({ id: '1', version: '1' })).status).toBe(403);
    vi.mocked(actorOf).mockRestore();
    const roles = API_OPERATIONS.filter(({ path }) => path.startsWith('/api/views')).map(({ role }) => role);
    expect(roles).toEqual(['viewer', 'operator', 'operator', 'operator']);
  });
});
