import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { AwsV4Signer } from 'aws4fetch';
import { ObjectStoreError } from './s3-errors';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  region: string;
}

export interface SignedRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  url: string;
  /** Hex; what the store compares the body with. */
  sha256: string;
  headers?: Record<string, string>;
  body?: Uint8Array | ReadableStream<Uint8Array>;
  size_bytes?: number;
  /** Milliseconds in which not one byte moves. */
  idle_ms: number;
  signal: AbortSignal | undefined;
}

/**
 * Signs and sends one request, once, and resolves with the head of the answer. `node:http` instead of fetch: a stream
 * then goes out with its Content-Length, which S3 demands, and no framework's cache comes between.
 */
export async function sendSigned(credentials: Credentials, given: SignedRequest): Promise<IncomingMessage> {
  const { method, url, sha256, body, size_bytes, idle_ms, signal } = given;
  signal?.throwIfAborted();
  const signer = new AwsV4Signer({
    ...credentials,
    service: 's3',
    method,
    url,
    headers: { ...given.headers, 'x-amz-content-sha256': sha256 },
  });
  const signed = await signer.sign();
  const headers: Record<string, string> = Object.fromEntries(signed.headers);
  if (method === 'PUT') headers['content-length'] = String(size_bytes ?? 0);
  const make = signed.url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = make(signed.url, { method, headers, signal });
  request.setTimeout(idle_ms, () =>
    request.destroy(new ObjectStoreError(`nothing came for ${idle_ms} ms`, null, 'ETIMEDOUT', true)),
  );
  return exchange(request, body, size_bytes ?? 0);
}

function exchange(request: ClientRequest, body: SignedRequest['body'], size_bytes: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', resolve);
    if (body === undefined || body instanceof Uint8Array) {
      request.end(body);
      return;
    }
    pipeline(Readable.fromWeb(body as NodeReadableStream), counted(size_bytes), request).catch(reject);
  });
}

/** A stream of another length than announced breaks the request off: the store would wait for the rest, or take a part. */
function counted(size_bytes: number) {
  return async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let seen = 0;
    for await (const piece of source) {
      seen += piece.byteLength;
      if (seen > size_bytes) break;
      yield piece;
    }
    if (seen !== size_bytes)
      throw new ObjectStoreError(
        `the body has ${seen > size_bytes ? 'more' : 'less'} than the ${size_bytes} bytes announced`,
        null,
        'wrong length',
        false,
      );
  };
}

const MAX_TEXT_BYTES = 8_000_000;

/** The body of an answer that is XML: a list, or an error. @throws where it breaks off or is no such text. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MAX_TEXT_BYTES) throw new ObjectStoreError('the answer is too long', null, 'too long', false);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
