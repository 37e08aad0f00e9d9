import { expect, test } from 'vitest';
import { FilePauses } from '@/lib/spool/file-pauses';

test('a file that fails waits a second, then twice as long each time, up to a minute; others wait by themselves', () => {
  const pauses = new FilePauses();
  expect(Array.from({ length: 9 }, () => pauses.next('1'))).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pauses.next('2')).toBe(1);
});

test('a file that came further begins with a short pause again', () => {
  const pauses = new FilePauses();
  pauses.next('1');
  pauses.next('1');
  pauses.forget('1');
  expect(pauses.next('1')).toBe(1);
});
