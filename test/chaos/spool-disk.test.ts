import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSpool } from '@/lib/capture';
import { readSpool } from '../unit/capture/read-spool';
import { canMount, mountSmallDisk } from './faults/full-disk';
import { canTrace, underStrace } from './faults/strace';

const root = path.join(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dlo-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  acked?: string;
  lost?: string;
  reason?: string;
}

interface Run {
  from?: number;
  count: number;
  at_once: number;
  deadline_ms?: number;
  wrapper?: readonly string[];
  where?: string;
  /** Ends the process, by SIGKILL, once this is true of what was said last. */
  until?: (said: Said) => boolean;
}

/** Runs a process that spools, and gathers what it said of each line. */
async function spool({ from = 0, count, at_once, deadline_ms = 60_000, wrapper = [], where = folder, until }: Run) {
  const script = path.join(root, 'test/chaos/processes/spooler.ts');
  const numbers = [from, count, at_once, deadline_ms].map(String);
  const words = [...wrapper, process.execPath, '--import', 'tsx', script, where, ...numbers];
  const child: ChildProcess = spawn(words[0] ?? '', words.slice(1), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const gone = once(child, 'exit');
  const all: Said[] = [];
  if (!child.stdout) throw new Error('no stdout');
  for await (const text of createInterface({ input: child.stdout })) {
    const said: Said = JSON.parse(text);
    all.push(said);
    if (until?.(said) && child.pid) {
      process.kill(-child.pid, 'SIGKILL');
      break;
    }
  }
  await gone;
  return {
    acked: all.flatMap((one) => one.acked ?? []),
    lost: all.flatMap((one) => (one.lost ? [one] : [])),
  };
}

/** Each acknowledged line is there, whole; what else is there was given and only not acknowledged. */
function expectKept(acked: readonly string[], where = folder): ReturnType<typeof readSpool> {
  const found = readSpool(where);
  const captures = new Set(found.captures);
  expect(acked.filter((line) => !captures.has(line))).toEqual([]);
  return found;
}

/** strace counts the calls of each thread by itself, so there is one that works on files. */
const failing = (injections: readonly string[]) => ['env', 'UV_THREADPOOL_SIZE=1', ...underStrace(injections)];

describe.runIf(canTrace())('a spool on a disk that fails', () => {
  test.each([
    [['fsync:error=EIO:when=2+3']],
    [['fsync:error=EIO:when=2+3', 'ftruncate:error=EIO:when=1+2']],
    [['rename:error=EIO:when=1+2', 'fsync:error=EIO:when=3+5']],
    [['fsync:error=ENOSPC:when=3+4']],
  ])('has every line that it acknowledged, whole: %j', async (injections) => {
    const { acked, lost } = await spool({ count: 120, at_once: 4, wrapper: failing(injections) });
    expect(acked.length + lost.length).toBe(120);
    expect(acked.length).toBeGreaterThan(60);
    const found = expectKept(acked);
    expect(found.bad).toEqual([]);
    // every failure took its lines to another file, or was told
    expect(found.files.length + lost.length).toBeGreaterThan(6);
  });

  test('that always fails says so of every line', async () => {
    const { acked, lost } = await spool({ count: 8, at_once: 4, wrapper: failing(['fsync:error=EIO']) });
    expect(acked).toEqual([]);
    expect(lost).toHaveLength(8);
    expect(lost[0]?.reason).toContain('EIO');
  });

  test('gives each capture back at its deadline while fsync does not return', async () => {
    const wrapper = failing(['fsync:delay_enter=600000000:when=6+']);
    const { acked, lost } = await spool({
      count: 40,
      at_once: 4,
      deadline_ms: 300,
      wrapper,
      until: (said) => said.lost?.includes('"k30"') === true,
    });
    expect(acked.length).toBeGreaterThan(0);
    expect(lost.length).toBeGreaterThan(4);
    expect(new Set(lost.map((one) => one.reason?.replace(/.*? (did not|has not)/, '$1')))).toEqual(
      new Set(['did not answer in time']),
    );
    expectKept(acked);
  });
});

describe('a spool whose writes are short', () => {
  /** 16 blocks of 1,024 bytes a file: the write that passes them is cut short, and the next one fails. */
  const limited = ['bash', '-c', 'trap "" XFSZ; ulimit -f 16; exec "$@"', 'limited'];

  test('goes on in another file, and has every line that it acknowledged, whole', async () => {
    const { acked, lost } = await spool({ count: 200, at_once: 3, wrapper: limited });
    expect(lost).toEqual([]);
    expect(acked).toHaveLength(200);
    const found = expectKept(acked);
    expect(found.bad).toEqual([]);
    expect(found.files.length).toBeGreaterThan(10);
  });
});

// As root this must run: a machine whose root may not mount fails here instead of leaving it untested.
describe.runIf(canMount())('a spool on a full disk', () => {
  test('warns when it is opened with little room, and by its path when nothing can be written', async () => {
    const disk = mountSmallDisk(400_000);
    try {
      const warnings: string[] = [];
      const warn = (text: string) => warnings.push(text);
      const small = openSpool({ where: path.join(disk.folder, 'small'), warn });
      await small.append('{}');
      await expect.poll(() => warnings).toEqual([expect.stringMatching(/small lies on a disk with 0 MB free/)]);
      await small.seal();
      expect(spawnSync('mount', ['-o', 'remount,ro', disk.folder]).status).toBe(0);
      await expect(small.append('{}')).rejects.toThrow(small.where);
      const where = path.join(disk.folder, 'new');
      await expect(openSpool({ where, warn }).append('{}')).rejects.toThrow(`the spool ${where} cannot be made`);
      expect(warnings.at(-1)).toContain(where);
    } finally {
      disk.remove();
    }
  });

  test('keeps what fits, says of the rest that it does not, and goes on once there is room', async () => {
    const disk = mountSmallDisk(400_000);
    try {
      const full = await spool({ where: disk.folder, count: 600, at_once: 16 });
      expect(full.acked.length).toBeGreaterThan(100);
      expect(full.lost.length).toBeGreaterThan(100);
      expect(full.lost.at(-1)?.reason).toContain('ENOSPC');
      expect(expectKept(full.acked, disk.folder).bad).toEqual([]);
      const { files } = readSpool(disk.folder);
      for (const name of files.slice(0, 1)) rmSync(path.join(disk.folder, name));
      const again = await spool({ where: disk.folder, from: 1000, count: 50, at_once: 4 });
      expect(again.acked).toHaveLength(50);
      expect(expectKept(again.acked, disk.folder).bad).toEqual([]);
    } finally {
      disk.remove();
    }
  });
});

describe('a spool whose process is killed', () => {
  test('has every line that was acknowledged before, and at most a torn last one', async () => {
    for (const last of [3, 40, 111]) {
      const { acked } = await spool({
        from: last * 1000,
        count: 400,
        at_once: 8,
        until: (said) => said.acked?.includes(`"k${last * 1000 + last}"`) === true,
      });
      expect(acked.length).toBeGreaterThan(0);
      expect(expectKept(acked).bad.every((reason) => reason.includes('ends within a line'))).toBe(true);
    }
  });
});
