import { DlqError } from '@/lib/contract/error';

/** An id that a bigint can hold. @throws DlqError not_found: what has no such form is no entry's id. */
export function readEntryId(text: string): string {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > 9_223_372_036_854_775_807n) throw noSuchEntry(text);
  return text;
}

export function noSuchEntry(id: string): DlqError {
  return new DlqError('not_found', `there is no entry ${id.slice(0, 40)}`);
}
