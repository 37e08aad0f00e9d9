/** A payload geometry of more bytes than this lies in the blob store, and the capture names it by `payload_ref`. */
export const SIZE_RULE_BYTES = 1_000_000;

const REFERENCE = /^sha256:([0-9a-f]{64})$/;

/** The reference under which the bytes of this hash (64 lowercase hex digits) are kept. */
export const payloadRef = (sha256: string): string => `sha256:${sha256}`;

/** The hash that a payload_ref names; null for a text that is no such reference, as a hand may have written. */
export function sha256OfRef(payload_ref: string | null): string | null {
  return payload_ref === null ? null : (REFERENCE.exec(payload_ref)?.[1] ?? null);
}
