import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundled } from '../support/bundled';
import { type CaptureSink, captureSink } from '../unit/capture/capture-sink';
import { readSpool } from '../unit/capture/read-spool';

let sink: CaptureSink;
let folder: string;
beforeEach(async () => {
  sink = await captureSink();
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-spool-'));
});
afterEach(async () => {
  await sink.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(how: string, environment: Record<string, string> = { DLO_SPOOL_DIR: folder }) {
  const script = path.join(import.meta.dirname, '../support/exiting-pipeline.ts');
  const child = spawn(process.execPath, [await bundled(script), sink.url, how], {
    cwd: path.join(import.meta.dirname, '../..'),
    env: { ...process.env, DLO_SPOOL_DIR: '', ...environment },
  });
  const [[code], said, complained] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code, said, complained };
}

const sealedKeys = () => {
  const { captures, files, bad } = readSpool(folder);
  expect(files.filter((name) => name.endsWith('.open'))).toEqual([]);
  expect(bad).toEqual([]);
  return captures.map((one) => JSON.parse(one).work_key);
};

test('a failure that nobody catches ends the process with its own error, and its capture lies in the spool', async () => {
  const { code, complained } = await run('uncaught');
  expect(code).toBe(1);
  expect(complained).toContain('RangeError: bounds lie outside');
  expect(sealedKeys()).toEqual(['uncaught']);
});

test('captures under way when the process is ended lie in the spool', async () => {
  expect((await run('exit')).code).toBe(3);
  expect(sealedKeys()).toEqual(Array.from({ length: 20 }, (_, i) => `exit ${i}`));
});

test('without a spool each of them is told, with what to do', async () => {
  const { code, complained } = await run('exit', {});
  expect(code).toBe(3);
  expect(complained.match(/a capture is lost.*await flush\(\)/g)).toHaveLength(20);
});

test('a spool file is sealed when the process ends', async () => {
  sink.mood = 'stall';
  expect((await run('spooled')).said).toBe('spool');
  expect(sealedKeys()).toEqual(['spooled']);
});

test('a process that has nothing else to do ends once its captures are kept', async () => {
  expect((await run('end')).code).toBe(0);
  expect(sink.captures.map((one) => one.work_key)).toEqual(['end']);
});
