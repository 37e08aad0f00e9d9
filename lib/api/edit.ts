import { editedPayloadSchema, type PayloadEditBody } from '../contract/edit';
import { fetchJson } from './fetch-json';

/** Edits the payload of an entry, or puts a stored version back. Refused with who and when, where it changed since. */
export function editPayload(id: string, body: PayloadEditBody) {
  return fetchJson(editedPayloadSchema, `/api/dead-letters/${encodeURIComponent(id)}/payload`, {
    method: 'POST',
    body,
  });
}
