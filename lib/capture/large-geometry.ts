import { SIZE_RULE_BYTES } from '../dead-letter/size-rule';
import { type CaptureParts, captureText } from './capture-line';
import { urlFault } from './check-options';
import { type Deadline, type Delivery, deliver, type Kept, toSpool } from './deliver';
import { answered, reasonOf, retryAfterMs } from './post-lines';
import type { SendOptions } from './send';
import { serverState } from './server-state';
import type { Spool } from './spool';
import { sha256Of } from './spool-line';
import { timeUp, within } from './within';

/** The server refuses a longer line; with a geometry of half of it as hex. */
const MAX_LINE_BYTES = 33_000_000;

type Spooling = Delivery & Required<Pick<Delivery, 'before_spool'>>;

export function isLarge(parts: CaptureParts): boolean {
  return parts.geometry !== null && parts.geometry.size_bytes > SIZE_RULE_BYTES;
}

/**
 * A capture whose geometry is over the size rule: the geometry to the server's blob store, else to the spool, and a line
 * that names it after it. Where neither took it, the line carries the geometry itself, as a last resort.
 */
export async function deliverLarge(
  parts: CaptureParts,
  options: Delivery['options'],
  spool: Spool | undefined,
  deadline: Deadline,
): Promise<{ line: string; kept: Kept }> {
  const bytes = parts.geometry?.bytes() ?? new Uint8Array();
  const sha256 = sha256Of(bytes);
  const line = captureText(parts, sha256);
  // Also beside a line that the server did not take after its blob: by the time it is loaded, the blob may be gone.
  const before_spool = (into: Spool, signal: AbortSignal) => into.put_blob(sha256, bytes, signal);
  const delivery = { options, spool, deadline, single: true, before_spool };
  const refused = await putBlob(sha256, bytes, options, spool, deadline);
  if (refused === null) return { line, kept: one(await deliver([line], delivery)) };
  const kept = spool ? await spoolBoth(line, refused, spool, delivery) : nowhere(refused);
  return kept.kept === 'nowhere' ? deliverInline(parts, line, kept.reason, delivery) : { line, kept };
}

/** The line goes only where its geometry is. */
async function spoolBoth(line: string, reason: string, spool: Spool, { options, deadline, before_spool }: Spooling) {
  const signal = deadline.spoolSignal();
  try {
    await within(signal, before_spool(spool, signal), `the spool ${spool.where}`);
  } catch (error) {
    return nowhere(`${reason}; ${reasonOf(error)}`);
  }
  return toSpool(line, spool, reason, { signal, warn: options.warn });
}

async function deliverInline(
  parts: CaptureParts,
  with_reference: string,
  reason: string,
  delivery: Delivery,
): Promise<{ line: string; kept: Kept }> {
  let line: string;
  try {
    line = captureText(parts);
  } catch {
    return { line: with_reference, kept: nowhere(`${reason}; its text is longer than a string can be`) };
  }
  if (Buffer.byteLength(line) > MAX_LINE_BYTES) {
    return { line, kept: nowhere(`${reason}; over ${MAX_LINE_BYTES} bytes it cannot be sent within its line either`) };
  }
  const kept = one(await deliver([line], { ...delivery, spool: undefined }));
  return { line, kept: kept.kept === 'nowhere' ? nowhere(`${reason}; ${kept.reason}`) : kept };
}

/** Null when the server has it, else why not. */
async function putBlob(
  sha256: string,
  bytes: Uint8Array,
  options: SendOptions,
  spool: Spool | undefined,
  deadline: Deadline,
): Promise<string | null> {
  const fault = urlFault(options.url);
  if (fault !== null) return fault;
  const { blob_breaker: breaker } = serverState(options.url);
  if (spool && breaker.mayAsk() === 'no') return `${options.url} did not answer a moment ago`;
  // Without a spool the line itself may have to take the geometry, and needs its time too.
  const left_ms = (deadline.server_until - performance.now()) / (spool ? 1 : 2);
  try {
    const response = await fetch(new URL(`/api/blobs/${sha256}`, options.url), {
      method: 'PUT',
      headers: {
        'content-type': 'application/octet-stream',
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: timeUp(left_ms),
    });
    const text = await response.text();
    if (response.status === 429 || response.status === 503) breaker.failed(retryAfterMs(response));
    else breaker.answered();
    return response.ok ? null : `the blob store answered ${answered(response.status, text)}`;
  } catch (error) {
    breaker.failed();
    return `the blob store did not take ${bytes.byteLength} bytes: ${reasonOf(error)}`;
  }
}

function one(kept: readonly Kept[]): Kept {
  return kept[0] ?? nowhere('no answer');
}

function nowhere(reason: string): Kept {
  return { kept: 'nowhere', reason };
}
