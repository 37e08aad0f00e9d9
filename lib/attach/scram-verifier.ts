import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { DlqError } from '@/lib/contract/error';

/** PostgreSQL's own default. */
const ITERATIONS = 4096;

/**
 * What PostgreSQL keeps of a password (RFC 5803), so that the password itself reaches neither the server nor its log.
 * @throws DlqError for characters whose normal form clients disagree about.
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new DlqError('bad_request', 'the password is empty or holds something else than printable ASCII');
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}
