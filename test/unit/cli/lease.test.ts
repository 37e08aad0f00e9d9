import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { liveLeases, readLease, takeLease } from '@/lib/cli/lease.mjs';
import { parsePostmasterFile } from '@/lib/cli/private-cluster.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dlo-lease-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a lease is held by one until it is given back', () => {
  const file = join(folder, 'start.json');
  const first = takeLease(file, 3000);
  expect(takeLease(file)).toMatchObject({ holder: { pid: process.pid, port: 3000 } });
  if ('release' in first) first.release();
  expect(takeLease(file)).toHaveProperty('release');
});

test('the lease of a process that is gone is void', () => {
  const file = join(folder, 'web.json');
  writeFileSync(file, JSON.stringify({ pid: 2 ** 30, started: null, port: 3000 }));
  expect(readLease(file)).toBeNull();
  expect(takeLease(file)).toHaveProperty('release');
});

test('a lease whose process number now belongs to another process is void', () => {
  const file = join(folder, 'web.json');
  takeLease(file);
  const lease = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...lease, started: '1' }));
  expect(liveLeases(folder)).toEqual([]);
});

test('a file that is no lease and a folder that is not there hold nothing', () => {
  writeFileSync(join(folder, 'half'), '{"pid":');
  expect(liveLeases(folder)).toEqual([]);
  expect(liveLeases(join(folder, 'none'))).toEqual([]);
});

test('the port of a running server is read from its lock file', () => {
  expect(parsePostmasterFile('123\n/data\n1796046224\n5433\n\n127.0.0.1\n')).toEqual({ pid: 123, port: 5433 });
  expect(parsePostmasterFile('')).toBeNull();
  expect(parsePostmasterFile('123\n')).toBeNull();
});
