import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SideFiles } from '@/lib/spool/side-file';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-side-'));
  file = path.join(folder, 'rejected', 'a.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const text = () => readFileSync(file, 'utf8');

test('a line is written once, whoever writes it again', async () => {
  const one = new SideFiles();
  await one.append(file, ['1\n', '2\n']);
  await one.append(file, ['2\n', '3\n']);
  await new SideFiles().append(file, ['1\n', '3\n', '4\n']);
  await one.append(file, ['4\n', '5\n']);
  expect(text()).toBe('1\n2\n3\n4\n5\n');
});

test('a line that a killed process left half written is written anew', async () => {
  await new SideFiles().append(file, ['{"line":1}\n']);
  appendFileSync(file, '{"li');
  await new SideFiles().append(file, ['{"line":1}\n', '{"line":2}\n']);
  expect(text()).toBe('{"line":1}\n{"line":2}\n');
});
