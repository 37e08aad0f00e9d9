import type { Fault } from '@/lib/contract/entry';

export interface WindowOfRaster {
  /** Pixels of the source, as captured: col_off, row_off, width, height. */
  source_window: unknown;
  /** Pixels; null where neither the params nor the window say. */
  raster_width: unknown;
  raster_height: unknown;
}

/**
 * The fault of a window that is not wholly inside its raster; null where the window or the raster's size is not known.
 * `at` has no meaning here: pixels are no source units of a geometry.
 */
export function windowFault({ source_window, raster_width, raster_height }: WindowOfRaster): Fault | null {
  const { col_off, row_off, width, height } = (source_window ?? {}) as Record<string, unknown>;
  if (!isNumber(col_off) || !isNumber(row_off) || !isNumber(width) || !isNumber(height)) return null;
  if (!isNumber(raster_width) || !isNumber(raster_height) || raster_width <= 0 || raster_height <= 0) return null;
  const beyond = [
    ...axisFault('column', col_off, width, raster_width),
    ...axisFault('row', row_off, height, raster_height),
  ];
  if (beyond.length === 0) return null;
  const message = `the window has ${beyond.join(' and ')}; the raster has ${raster_width} × ${raster_height} pixels`;
  return { code: 'window_outside_raster', path: null, at: null, message, severity: 'fails' };
}

function axisFault(name: string, offset: number, size: number, limit: number): string[] {
  return offset < 0 || offset + size > limit ? [`${name}s ${offset} to ${offset + size}`] : [];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
