/** A payload geometry of more bytes than this lies in the blob store, and the capture names it by `payload_ref`. */
export const SIZE_RULE_BYTES = 1_000_000;

/** A blob up to this size goes along with a redrive, so that a target need not fetch it: a body of 16 MB as hex. */
export const INLINE_BLOB_BYTES = 8_000_000;

/** How the geometry of a redrive reaches its target. */
export type PayloadTransport = 'inline' | 'by_reference' | 'gone';

/** @param blob_bytes the size of the blob that is in the store, null where it is not */
export function transportOf(by_reference: boolean, blob_bytes: number | null): PayloadTransport {
  if (!by_reference) return 'inline';
  if (blob_bytes === null) return 'gone';
  return blob_bytes <= INLINE_BLOB_BYTES ? 'inline' : 'by_reference';
}

const REFERENCE = /^sha256:([0-9a-f]{64})$/;

/** The reference under which the bytes of this hash (64 lowercase hex digits) are kept. */
export const payloadRef = (sha256: string): string => `sha256:${sha256}`;

/** The hash that a payload_ref names; null for a text that is no such reference, as a hand may have written. */
export function sha256OfRef(payload_ref: string | null): string | null {
  return payload_ref === null ? null : (REFERENCE.exec(payload_ref)?.[1] ?? null);
}
