import { expect, test, vi } from 'vitest';
import { IngestProgress } from '@/lib/cli/ingest-progress';

const at = (lines: number, more = {}) => ({
  done_bytes: lines * 10,
  fingerprint: null,
  edition: null,
  lines,
  stored: lines,
  duplicates: 0,
  rejected: 0,
  ...more,
});

function shown(isTTY: boolean, total_bytes = 100) {
  let text = '';
  const progress = new IngestProgress(total_bytes, { isTTY, write: (piece) => (text += piece) });
  return { progress, text: () => text };
}

test('what an earlier run did counts for the share and not for this run’s lines', () => {
  const { progress } = shown(false);
  progress.on('a', at(2), at(4));
  progress.on('a', at(2), at(5, { stored: 4, rejected: 1 }));
  progress.on('b', at(0), at(3));
  expect(progress.totals()).toMatchObject({ lines: 6, stored: 5, rejected: 1, bytes: 60 });
});

test('a terminal gets one line that moves, and what is said stands above it', () => {
  const { progress, text } = shown(true);
  progress.on('a', at(0), at(5));
  progress.show();
  progress.say('waiting');
  const parts = text()
    .replace(/\d+ \/s/, '# /s')
    .split('\r\x1b[K');
  expect(parts).toEqual(['', '50 %, 5 lines, # /s, 5 stored, 0 counted before, 0 rejected', 'waiting\n']);
});

test('a log gets a line of its own now and then, without a share where the whole is not known', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { progress, text } = shown(false, 0);
    progress.on('a', at(0), at(1));
    vi.advanceTimersByTime(4_000);
    progress.on('a', at(0), at(2));
    expect(text()).toBe('');
    vi.advanceTimersByTime(2_000);
    progress.on('a', at(0), at(3));
    expect(text()).toBe('3 lines, 1 /s, 3 stored, 0 counted before, 0 rejected\n');
  } finally {
    vi.useRealTimers();
  }
});
