import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DlqError } from '@/lib/contract/error';
import { readCapture } from '@/lib/ingest/read-capture';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

let next = 0;

/** How many payloads these texts of captures of one new entry come to. */
async function payloadsOf(texts: readonly string[]): Promise<number> {
  next += 1;
  const work_key = `hash/${next}`;
  const proposals = texts.map((text) =>
    readCapture(`{"work_key":"${work_key}","task_name":"t"${text === '' ? '' : `,${text}`}}`, { via: 'http' }),
  );
  const answers = await storeChunk(database.db, proposals);
  for (const answer of answers) if (answer instanceof DlqError) throw answer;
  const { rows } = await database.pool.query(
    `select count(*)::integer as count from dlq.payload p join dlq.entry e on e.id = p.entry_id where e.work_key = $1`,
    [work_key],
  );
  return rows[0].count;
}

/** JSON text with the members of every object turned round. */
function turned(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(turned).join(',')}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${turned(member)}`);
  return `{${members.toReversed().join(' , ')}}`;
}

const straight = (value: unknown): string => turned(JSON.parse(turned(value)));

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('NUL \0', 'half \ud800', ''));
const params = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.constantFrom(-0, 1e21, 5e-324, 1, true, null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

test('identical payloads are one, whatever the order of their keys, also where jsonb cannot hold their values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, params, { minKeys: 1, maxKeys: 4 }), async (value) => {
      expect(await payloadsOf([`"params":${turned(value)}`, `"params":${straight(value)}`])).toBe(1);
    }),
    { numRuns: 60 },
  );
});

test('a GeoJSON geometry is the same one whatever the order of its members', async () => {
  expect(
    await payloadsOf([
      '"geom_geojson":{"type":"Point","coordinates":[1,2]}',
      '"geom_geojson":{ "coordinates": [1, 2], "type": "Point" }',
    ]),
  ).toBe(1);
});

test.each([
  ['no geometry and one of no bytes', '', '"geom_wkb":""'],
  ['bytes and a text of the same bytes', '"geom_wkb":"41"', '"geom_wkb":"not hex: A"'],
  ['another number that jsonb cannot hold', '"params":{"a":1e400000}', '"params":{"a":1e400001}'],
  ['members under each other’s names', '"params":{"a":-0,"b":1}', '"params":{"a":1,"b":-0}'],
  ['another order of a list', '"params":[-0,1]', '"params":[1,-0]'],
  [
    'GeoJSON of other numbers',
    '"geom_geojson":{"type":"Point","coordinates":[1,2]}',
    '"geom_geojson":{"type":"Point","coordinates":[1.0,2]}',
  ],
  ['a claim and none', '"src_crs":"EPSG:4326"', ''],
])('%s are two payloads', async (_name, one, other) => {
  expect(await payloadsOf([one, other])).toBe(2);
});
