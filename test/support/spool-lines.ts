import { randomUUID } from 'node:crypto';
import { spoolLine } from '@/lib/capture/spool-line';

/** A capture as a pipeline spools it, small; `i` tells it from others. */
export const spooledCapture = (i: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  capture_id: randomUUID(),
  work_key: `unit/${i}`,
  task_name: 'reproject',
  geom_wkt: `POINT(${i % 90} ${i % 45})`,
  src_crs: 'EPSG:4326',
  error_type: 'ProjError',
  error_text: `latitude or longitude over range: ${i}`,
  failed_at: '2026-11-30T12:00:00Z',
  ...more,
});

/** The bytes of such captures as lines of a spool file. */
export const spoolBytes = (captures: readonly Record<string, unknown>[]): Buffer =>
  Buffer.concat(captures.map((capture) => spoolLine(JSON.stringify(capture))));

export const captures = (from: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, i) => spooledCapture(from + i));
