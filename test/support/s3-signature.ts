import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sha256Of } from './sha256-of';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const strict = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * What S3 would object to in the signature of a request (Signature Version 4, computed here from its description and not by
 * the library under test), as its error code; null where it is right.
 */
export function objectionToSignature(
  request: IncomingMessage,
  body: Uint8Array,
  keys: { access_key_id: string; secret_access_key: string; session_token: string | null },
): string | null {
  const { headers } = request;
  const [, access, day, region, signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!access || !day || !region) return 'AccessDenied';
  if (access !== keys.access_key_id) return 'InvalidAccessKeyId';
  if ((headers['x-amz-security-token'] ?? null) !== keys.session_token) return 'InvalidToken';
  const content_sha256 = headers['x-amz-content-sha256'];
  if (content_sha256 !== sha256Of(body)) return 'XAmzContentSHA256Mismatch';
  const names = signed.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
  const url = new URL(request.url ?? '/', 'http://stub');
  const query = [...url.searchParams].map(([name, value]) => `${strict(name)}=${strict(value)}`).sort();
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((segment) => strict(decodeURIComponent(segment)))
      .join('/'),
    query.join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    signed,
    content_sha256,
  ].join('\n');
  const to_sign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${region}/s3/aws4_request`, sha256Of(canonical)];
  const key = hmac(hmac(hmac(hmac(`AWS4${keys.secret_access_key}`, day), region), 's3'), 'aws4_request');
  return hmac(key, to_sign.join('\n')).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}
