import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  COLUMN_IDS,
  type ColumnChoice,
  type ColumnId,
  layoutOf,
  MAX_PX,
  MIN_PX,
  movedBeside,
  movedTo,
  readChoice,
  rowsAsCsv,
  withColumn,
  withWidth,
} from '@/components/triage/list-columns.model';
import { jumpMoment } from '@/components/triage/list-jump.model';
import type { ListItem } from '@/lib/contract/triage';

const choice: ColumnChoice = [{ id: 'work_key' }, { id: 'error' }, { id: 'attempts', px: 80 }, { id: 'failed_at' }];
const idsOf = (columns: ColumnChoice) => columns.map(({ id }) => id);

describe('the columns that a person chose', () => {
  test('are read back as they were written', () => {
    const anyChoice = fc
      .uniqueArray(fc.constantFrom(...COLUMN_IDS), { minLength: 1 })
      .map((ids) => (ids.includes('work_key') ? ids : ['work_key' as const, ...ids]))
      .chain((ids) =>
        fc.tuple(
          ...ids.map((id) =>
            fc.option(fc.integer({ min: MIN_PX, max: MAX_PX })).map((px) => (px === null ? { id } : { id, px })),
          ),
        ),
      );
    fc.assert(
      fc.property(anyChoice, (any) => {
        expect(readChoice(JSON.stringify(any))).toEqual(any);
      }),
    );
  });

  test('are the usual ones whatever else the browser kept', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readChoice(text);
        expect(read === null || idsOf(read).includes('work_key')).toBe(true);
      }),
    );
    for (const text of [null, '', 'x', '{}', '[]', '[{"id":"error"}]', '[null,1]']) expect(readChoice(text)).toBeNull();
    expect(
      readChoice('[{"id":"work_key","px":1e9},{"id":"gone"},{"id":"error","px":"9"},{"id":"error","px":90}]'),
    ).toEqual([{ id: 'work_key', px: MAX_PX }, { id: 'error' }]);
    expect(readChoice('[{"id":"work_key"},{"id":"toString"}]')).toEqual([{ id: 'work_key' }]);
  });

  test('come and go, but the work key stays', () => {
    expect(idsOf(withColumn(choice, 'error', false))).toEqual(['work_key', 'attempts', 'failed_at']);
    expect(idsOf(withColumn(choice, 'queue', true))).toEqual(['work_key', 'error', 'attempts', 'failed_at', 'queue']);
    expect(withColumn(choice, 'error', true)).toBe(choice);
    expect(withColumn(choice, 'work_key', false)).toBe(choice);
  });

  test('keep their widths within bounds, and each other when one is moved', () => {
    expect(withWidth(choice, 'error', 3)[1]).toEqual({ id: 'error', px: MIN_PX });
    expect(withWidth(choice, 'error', 222.6)[1]).toEqual({ id: 'error', px: 223 });
    expect(idsOf(movedTo(choice, 'failed_at', 0))).toEqual(['failed_at', 'work_key', 'error', 'attempts']);
    expect(idsOf(movedTo(choice, 'work_key', 99))).toEqual(['error', 'attempts', 'failed_at', 'work_key']);
    expect(idsOf(movedBeside(choice, 'work_key', 'attempts', 'behind'))).toEqual([
      'error',
      'attempts',
      'work_key',
      'failed_at',
    ]);
    expect(idsOf(movedBeside(choice, 'failed_at', 'error', 'before'))).toEqual([
      'work_key',
      'failed_at',
      'error',
      'attempts',
    ]);
    expect(movedBeside(choice, 'failed_at', 'queue', 'before')).toBe(choice);
  });

  test('share out the room: one takes what is left, unless each was dragged to a width', () => {
    const laid = layoutOf(choice, new Set<ColumnId>(['failed_at']));
    expect(laid.columns.map(({ id, grows }) => [id, grows])).toEqual([
      ['work_key', false],
      ['error', true],
      ['attempts', false],
    ]);
    expect(laid.total_px).toBe(60 + 216 + 140 + 80);
    expect(laid.has_filler).toBe(false);
    const dragged = withWidth(withWidth(choice, 'error', 300), 'work_key', 200);
    expect(layoutOf(dragged, new Set()).has_filler).toBe(true);
  });
});

test('rows are copied with their class and the columns in their order, and run nothing in a spreadsheet', () => {
  const row = {
    failure_class: 'oom',
    work_key: '=cmd()',
    error_text: 'a "b",\nc',
    attempts: 3,
    reopen_count: 1,
    position: null,
    tile_distance_m: 12.5,
    fault_codes: ['spike', 'zero_area'],
  } as unknown as ListItem;
  expect(rowsAsCsv([row], ['work_key', 'tile_distance', 'position', 'faults', 'error', 'attempts'])).toBe(
    'failure_class,work_key,tile_distance_m,lon,lat,fault_codes,error_text,attempts,reopen_count\r\n' +
      'oom,"\'=cmd()",12.5,,,spike zero_area,"a ""b"",\nc",3,1\r\n',
  );
  expect(rowsAsCsv([], ['work_key'])).toBe('');
});

test('a moment to go to is written as a day and time, as a time of today, or counted back', () => {
  const now = '2026-11-29T14:32:07.000Z';
  expect(jumpMoment('2026-11-24 02:14', now)).toBe('2026-11-24T02:14:00.000Z');
  expect(jumpMoment('2026-11-24 02:14:09 UTC', now)).toBe('2026-11-24T02:14:09.000Z');
  expect(jumpMoment('2026-11-24', now)).toBe('2026-11-24T00:00:00.000Z');
  expect(jumpMoment('2:14', now)).toBe('2026-11-29T02:14:00.000Z');
  expect(jumpMoment('12h', now)).toBe('2026-11-29T02:32:00.000Z');
  for (const text of ['', 'yesterday', '25:00', '2026-13-01']) expect(jumpMoment(text, now), text).toBeNull();
});
