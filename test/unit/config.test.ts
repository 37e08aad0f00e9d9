import { expect, test } from 'vitest';
import { parseConfig } from '@/lib/config';

const DATABASE_URL = 'postgres://dlo@127.0.0.1/dlo';

test('only the database must be named', () => {
  expect(parseConfig({ DATABASE_URL })).toEqual({
    database_url: DATABASE_URL,
    port: 3000,
    worker: 'inside',
    index: 'inside',
    targets: {},
    hosts: ['localhost', '127.0.0.1', '[::1]'],
    intake: { without_token: 'open', concurrency: 16, connections: 6, max_held_bytes: 256_000_000, idle_ms: 30_000 },
    spools: { addresses: [], keep_days: 7 },
    blobs: './.data/blobs',
    max_blob_bytes: 1_000_000_000,
    public_url: null,
    log_level: 'info',
  });
});

test('several spools are named with commas', () => {
  const { spools } = parseConfig({
    DATABASE_URL,
    DLO_SPOOL_DIR: '/var/spool/dlo, s3://bucket/prefix,',
    DLO_SPOOL_KEEP_DAYS: '0',
  });
  expect(spools).toEqual({ addresses: ['/var/spool/dlo', 's3://bucket/prefix'], keep_days: 0 });
});

test('an empty value is an unset one', () => {
  expect(parseConfig({ DATABASE_URL, PORT: '', DLO_TARGETS: '', DLO_HOSTS: '' })).toEqual(
    parseConfig({ DATABASE_URL }),
  );
});

test('targets are read by name', () => {
  const demo = { type: 'webhook', url: 'http://127.0.0.1:4000/redrive', secret: 's' };
  expect(parseConfig({ DATABASE_URL, DLO_TARGETS: JSON.stringify({ demo }) }).targets).toEqual({ demo });
});

test.each([
  [{ DATABASE_URL: undefined }, /^DATABASE_URL: must be set/],
  [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: must begin with postgres/],
  [{ DATABASE_URL, PORT: '70000' }, /^PORT: /],
  [{ DATABASE_URL, DLO_WORKER: 'yes' }, /^DLO_WORKER: /],
  [{ DATABASE_URL, DLO_INDEX: 'yes' }, /^DLO_INDEX: /],
  [{ DATABASE_URL, DLO_INTAKE: 'closed' }, /^DLO_INTAKE: .*open.*token/],
  [{ DATABASE_URL, DLO_INTAKE_CONCURRENCY: '0' }, /^DLO_INTAKE_CONCURRENCY: /],
  [{ DATABASE_URL, DLO_INTAKE_CONNECTIONS: 'many' }, /^DLO_INTAKE_CONNECTIONS: /],
  [{ DATABASE_URL, DLO_INTAKE_BYTES: '1000' }, /^DLO_INTAKE_BYTES: .*40000000/],
  [{ DATABASE_URL, DLO_INTAKE_IDLE_S: '-1' }, /^DLO_INTAKE_IDLE_S: /],
  [{ DATABASE_URL, DLO_TARGETS: '{' }, /^DLO_TARGETS: must be JSON/],
  [
    { DATABASE_URL, DLO_TARGETS: '{"demo":{"type":"webhook","url":"ftp://x","secret":"s"}}' },
    /^DLO_TARGETS \(demo\.url\): /,
  ],
])('a wrong value is named: %j', (environment, message) => {
  expect(() => parseConfig(environment)).toThrow(message);
});

test('every wrong variable is named, not only the first', () => {
  expect(() => parseConfig({ DATABASE_URL: 'x', PORT: 'y' })).toThrow(/DATABASE_URL: [^\n]*\nPORT: /);
});
