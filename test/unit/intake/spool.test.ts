import { expect, test } from 'vitest';
import {
  doneShare,
  findingOf,
  linesText,
  nextTryText,
  placeText,
  shortPath,
  spoolTotals,
  waitingText,
} from '@/components/intake/spool.model';
import type { SpoolFileState, SpoolSourceState } from '@/lib/contract/spool';

const AS_OF = '2026-11-30T14:32:07Z';
const source = (more: Partial<SpoolSourceState> = {}): SpoolSourceState => ({
  url: '/var/spool/dlo',
  kind: 'directory',
  reachable: true,
  error: null,
  same_filesystem: false,
  looked_at: '2026-11-30T14:32:00Z',
  is_watched: true,
  waiting_files: 0,
  waiting_bytes: 0,
  oldest_waiting_at: null,
  ...more,
});
const file = (more: Partial<SpoolFileState> = {}): SpoolFileState => ({
  id: '1',
  source: '/var/spool/dlo',
  name: 'a.ndjson',
  size_bytes: 100,
  done_bytes: 40,
  lines: 4,
  stored: 4,
  duplicates: 0,
  rejected: 0,
  side_file: null,
  state: 'loading',
  error: null,
  retry_at: null,
  first_seen_at: AS_OF,
  loaded_at: null,
  ...more,
});

test('a source that nobody looks at any more is not called drained, whatever was seen last', () => {
  expect(findingOf(source())).toBe('drained');
  expect(findingOf(source({ waiting_files: 2 }))).toBe('waiting');
  expect(findingOf(source({ reachable: false }))).toBe('unreachable');
  expect(findingOf(source({ is_watched: false }))).toBe('unwatched');
  expect(findingOf(source({ is_watched: false, reachable: false }))).toBe('unwatched');
});

test('what waits is summed over the sources, and those that nothing can be said of are counted', () => {
  const sources = [
    source({ waiting_files: 1, waiting_bytes: 10 }),
    source({ waiting_files: 2, waiting_bytes: 20 }),
    source({ reachable: false }),
    source({ is_watched: false }),
  ];
  expect(spoolTotals(sources)).toEqual({ files: 3, bytes: 30, wrong: 2 });
});

test('what waits is said with its size and age', () => {
  expect(waitingText(source(), AS_OF)).toBe('nothing waits');
  expect(
    waitingText(
      source({ waiting_files: 1, waiting_bytes: 14_200_000, oldest_waiting_at: '2026-11-30T14:29:00Z' }),
      AS_OF,
    ),
  ).toBe('1 file, 14.2 MB, the oldest for 3 min');
});

test('the share that was read is whole for a loaded and for an empty file, and never over 1', () => {
  expect(doneShare(file())).toBe(0.4);
  expect(doneShare(file({ state: 'loaded', done_bytes: 0 }))).toBe(1);
  expect(doneShare(file({ size_bytes: 0, done_bytes: 0 }))).toBe(1);
  expect(doneShare(file({ done_bytes: 500 }))).toBe(1);
});

test('the lines of a file are said without what did not happen', () => {
  expect(linesText(file())).toBe('4 lines, 4 stored');
  expect(linesText(file({ lines: 1_204, stored: 1_200, duplicates: 3, rejected: 1 }))).toBe(
    '1,204 lines, 1,200 stored, 3 known before, 1 not taken',
  );
});

test('a long address keeps its end, which tells it from others, and never splits a character', () => {
  expect(shortPath('/short')).toBe('/short');
  const cut = shortPath(`/mnt/${'𝄞'.repeat(60)}/night`, 30);
  expect([...cut]).toHaveLength(30);
  expect(cut).toMatch(/^\/mnt.*….*\/night$/u);
  expect(cut).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});

test('a file that could not be loaded says that it is tried again by itself and when, or who has to', () => {
  const failed = file({ state: 'failed', error: 'EIO', retry_at: '2026-11-30T14:32:40Z' });
  const look = { sources: [source()], as_of: AS_OF };
  expect(nextTryText(failed, look)).toBe('It is tried again by itself, at 14:32:40 UTC.');
  expect(nextTryText({ ...failed, retry_at: AS_OF }, look)).toBe('It is tried again by itself, any moment now.');
  expect(nextTryText({ ...failed, source: '/home/ada' }, look)).toMatch(/run dlo ingest once more/);
  expect(nextTryText(failed, { ...look, sources: [source({ is_watched: false })] })).toMatch(/No worker watches/);
  expect(nextTryText(file(), look)).toBeNull();
});

test('what came through a pipe has a name and no place', () => {
  expect(placeText(file())).toBe('/var/spool/dlo/a.ndjson');
  const name = 'standard input, 2026-11-30 18:02:11.004 UTC, process 71';
  expect(placeText(file({ source: 'stdin', name }))).toBe(name);
});
