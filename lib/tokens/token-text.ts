import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What humans and secret scanners recognise a producer's token by; the id follows, then the secret. */
const FORM = /^dlo_p_(\d{1,18})_([A-Za-z0-9_-]{43})$/;

/** 256 random bits as base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function tokenText(id: string, secret: string): string {
  return `dlo_p_${id}_${secret}`;
}

/** The parts of a token, or null where the text is none. */
export function readTokenText(text: string): { id: string; secret: string } | null {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in the same time whatever differs. */
export function isSecretOf(token_hash: Buffer, secret: string): boolean {
  return timingSafeEqual(token_hash, hashOf(secret));
}
