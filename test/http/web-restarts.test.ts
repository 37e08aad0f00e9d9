import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startChild, stopChild } from '@/lib/cli/children.mjs';
import { freePort } from '@/lib/cli/free-port.mjs';
import { keepWebRunning } from '@/lib/cli/keep-web.mjs';
import { Refusal } from '@/lib/cli/project.mjs';
import { isWebReady } from '@/lib/cli/web.mjs';

let home: string;
let log: string;
let port: number;
let stopping: boolean;
let said: string[];
let started: ChildProcess[];

beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'dlo-web-'));
  log = path.join(home, 'web.log');
  port = await freePort();
  stopping = false;
  said = [];
  started = [];
});
afterEach(async () => {
  stopping = true;
  await Promise.all(started.map((child) => stopChild(child)));
  rmSync(home, { recursive: true, force: true });
});

/** A server that says on its port what /readyz of the application says, and ends when `fail` is set. */
function keep(fail: boolean): Promise<never> {
  const script = `
    console.log(JSON.stringify({ level: 30, time: 1, pid: 1, route: '/readyz', status: 503, msg: 'request' }));
    console.log(JSON.stringify({ level: 50, time: 1, pid: 1, source: 'disk', err: { message: 'no space left' }, msg: 'not written' }));
    if (${fail}) process.exit(3);
    require('node:http').createServer((_, response) => response.end(String(process.pid))).listen(${port}, '127.0.0.1');`;
  const start = () => {
    const child = startChild(process.execPath, ['-e', script], { log });
    started.push(child);
    return child;
  };
  const goOn = () => {
    if (stopping) throw new Refusal('Stopped.');
  };
  const isReady = (child: ChildProcess) => isWebReady({ port, child });
  return keepWebRunning(start(), { start, isReady, goOn, log, say: (line) => said.push(line) });
}

test('a web process that is killed is started again, and a stop ends that', async () => {
  const kept = keep(false);
  const stopped = expect(kept).rejects.toThrow('Stopped.');
  const first = started[0] ?? expect.fail('nothing started');
  expect(await isWebReady({ port, child: first })).toBe(true);
  first.kill('SIGKILL');
  await vi.waitFor(() => expect(said.at(-1)).toContain('The server answers again'), 30_000);
  expect(said[0]).toBe(`  The server ended by itself (SIGKILL); starting it again in 0.2 s. Log: ${log}`);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(await answer.text()).toBe(String(started[1]?.pid));
  stopping = true;
  started[1]?.kill('SIGTERM');
  await stopped;
  expect(started).toHaveLength(2);
});

test('a web process that ends a sixth time within a minute ends the start, with the log as a person reads it', async () => {
  const refusal = await keep(true).catch((error) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(started).toHaveLength(6);
  expect(refusal.message).toContain('The server ended 6 times within a minute, the last time by exit 3');
  expect(refusal.message).toContain('    00:00:00 error not written no space left source=disk\n');
  expect(refusal.message).not.toContain('/readyz');
  expect(refusal.message).toMatch(/Solve what the log names, then run npm start again\.$/);
});
