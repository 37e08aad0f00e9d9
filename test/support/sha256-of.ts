import { createHash } from 'node:crypto';

/** As 64 lowercase hex digits: the name of a blob. */
export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
