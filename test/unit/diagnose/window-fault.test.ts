import { expect, test } from 'vitest';
import { windowFault } from '@/lib/diagnose/window-fault';

const source_window = { col_off: 0, row_off: 256, width: 512, height: 256 };
const fault = (window: Record<string, unknown>, raster_width: unknown = 512, raster_height: unknown = 512) =>
  windowFault({ source_window: { ...source_window, ...window }, raster_width, raster_height });

test('a window inside its raster is no fault, to the last pixel', () => {
  expect(fault({})).toBeNull();
});

test.each([
  ['beyond its columns', { col_off: 1 }, 'columns 1 to 513'],
  ['before its columns', { col_off: -1 }, 'columns -1 to 511'],
  ['beyond its rows', { row_off: 257 }, 'rows 257 to 513'],
  ['beyond both', { col_off: 600, row_off: 600 }, 'columns 600 to 1112 and rows 600 to 856'],
])('a window %s fails', (_, window, words) => {
  expect(fault(window)).toEqual({
    code: 'window_outside_raster',
    path: null,
    at: null,
    message: `the window has ${words}; the raster has 512 × 512 pixels`,
    severity: 'fails',
  });
});

test.each([
  ['size of the raster is not known', fault({ col_off: 600 }, null)],
  ['size is no number', fault({ col_off: 600 }, '512')],
  ['size is none', fault({ col_off: 600 }, 0)],
  ['window is none', windowFault({ source_window: null, raster_width: 1, raster_height: 1 })],
  ['window is another form', fault({ width: undefined })],
])('nothing is said where the %s', (_, found) => expect(found).toBeNull());
