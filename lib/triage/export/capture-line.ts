import type { CaptureRow } from '@/db/queries/captures-of';
import { derivedCaptureId } from '@/lib/ingest/derived-capture-id';

/** A capture of the contract as one line of JSON text, from the row that it became. */
export function captureLine(row: CaptureRow): string {
  const { id: _id, capture_id, params_text, params_raw, geom_wkb, geom_given, geom_format, payload_ref, ...rest } = row;
  const members: Record<string, unknown> = {
    // first, where a reader finds it without reading the line
    capture_id: capture_id ?? derivedCaptureId('export', row.work_key, row.task_name, row.failed_at),
    ...rest,
    failed_at: MOMENT.test(row.failed_at) ? row.failed_at : null,
    ...(payload_ref ? { payload_ref, geom_format } : geometryMember(row)),
  };
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  const text = JSON.stringify(Object.fromEntries(given));
  const params = params_raw ? rawText(params_raw) : params_text;
  return params === null ? text : `${text.slice(0, -1)},"params":${params}}`;
}

/** What the contract takes for one; PostgreSQL's timestamps go farther, and can be infinite. */
const MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** As it was given: a text that is read again becomes the same bytes. */
function geometryMember({ geom_wkb, geom_given, geom_format }: CaptureRow): Record<string, unknown> {
  if (geom_given === null) return { geom_wkb: geom_wkb?.toString('hex') ?? null };
  return { [`geom_${geom_format ?? 'wkb'}`]: geom_given };
}

/** JSON text with line breaks between its tokens only; bytes that are none stay a text. */
function rawText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    JSON.parse(text);
    return text.replace(/[\r\n]/g, ' ');
  } catch {
    return JSON.stringify(text);
  }
}
