import { createHmac } from 'node:crypto';
import type { RedriveHttpRequest } from './build-request';
import { readAnswer, readFailure, type SendResult } from './read-answer';
import type { Target } from './targets';

/** More of an answer is not read: a target must not be able to fill the memory. */
const MAX_ANSWER_BYTES = 64_000;

/** Hex HMAC-SHA256 of the body's bytes with the target's secret: the header Dlo-Signature. */
export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** Sends one redrive, once: nothing is repeated here. Never throws. */
export async function sendWebhook(
  target: Target,
  { headers, body }: RedriveHttpRequest,
  timeout_ms: number,
): Promise<SendResult> {
  let request: Request;
  try {
    request = new Request(target.url, {
      method: 'POST',
      headers: { ...headers, 'dlo-signature': signatureOf(body, target.secret) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout_ms),
    });
  } catch (error) {
    return { outcome: 'never_sent', answer: `the request cannot be made: ${String(error)}`, busy: false };
  }
  try {
    const response = await fetch(request);
    return readAnswer(response.status, await textOf(response));
  } catch (error) {
    return readFailure(error);
  }
}

/** The beginning of an answer; one that breaks off counts as far as it came, since its status has arrived. */
async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < MAX_ANSWER_BYTES) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
    if (size >= MAX_ANSWER_BYTES) await reader.cancel();
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8', 0, Math.min(size, MAX_ANSWER_BYTES));
}
