import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectionToSignature } from './s3-signature';

/**
 * A status: refused with it, nothing done. `hang`: never answered. `reset`: the connection is broken before anything is
 * done. `partial`: broken half way through the answer's body. `lost`: done, then broken instead of answered.
 */
export type S3Fault = number | 'hang' | 'reset' | 'partial' | 'lost';

export interface StoredObject {
  body: Uint8Array;
  modified_at: string;
}

export interface S3Stub {
  /** `s3://bucket`. */
  url: string;
  /** What a client of it needs. */
  environment: Record<string, string>;
  /** By whole key. */
  objects: Map<string, StoredObject>;
  /** `PUT key`, in the order in which they were taken up, the failed ones too. */
  requests: string[];
  /** The next `n` requests (those with this method, where one is named) meet the fault. */
  fail_next(fault: S3Fault, n?: number, method?: string): void;
  stop(): Promise<void>;
}

export interface S3StubOptions {
  bucket: string;
  faults?: S3Fault[];
  /** Objects on one page of a list. */
  page_size?: number;
  session_token?: string | null;
}

/** An S3 on loopback that holds its objects in memory and takes only what is signed right. */
export async function startS3Stub({
  bucket,
  faults = [],
  page_size = 1000,
  session_token = null,
}: S3StubOptions): Promise<S3Stub> {
  const keys = { access_key_id: 'stub-access-key', secret_access_key: 'stub-secret-key', session_token };
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  const waiting: { fault: S3Fault; method: string | undefined }[] = faults.map((fault) => ({
    fault,
    method: undefined,
  }));

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stub');
    const [, in_bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    requests.push(`${request.method} ${key}`);
    const at = waiting.findIndex(({ method }) => method === undefined || method === request.method);
    const fault = at < 0 ? undefined : waiting.splice(at, 1)[0]?.fault;
    if (fault === 'hang') return;
    if (fault === 'reset') {
      request.socket.destroy();
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = new Uint8Array(Buffer.concat(pieces));
    const refuse = (status: number, code: string) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`);
    };
    if (typeof fault === 'number') return refuse(fault, fault === 503 ? 'SlowDown' : 'InternalError');
    const objection = objectionToSignature(request, body, keys);
    if (objection !== null) return refuse(objection === 'XAmzContentSHA256Mismatch' ? 400 : 403, objection);
    if (in_bucket !== bucket) return refuse(404, 'NoSuchBucket');
    if (request.method === 'PUT' && request.headers['content-length'] === undefined)
      return refuse(411, 'MissingContentLength');
    const answer = answerTo(request, key, url.searchParams, body);
    if (fault === 'lost') {
      request.socket.destroy();
      return;
    }
    if (answer.status === 404) return refuse(404, 'NoSuchKey');
    response.writeHead(answer.status, { 'content-length': String(answer.body.byteLength) });
    if (fault === 'partial') {
      response.write(answer.body.subarray(0, answer.body.byteLength / 2), () => request.socket.destroy());
      return;
    }
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  }

  function answerTo(request: IncomingMessage, key: string, query: URLSearchParams, body: Uint8Array) {
    const text = (status: number, xml = '') => ({ status, body: new TextEncoder().encode(xml) });
    const now = new Date().toISOString();
    switch (request.method) {
      case 'PUT': {
        const source = request.headers['x-amz-copy-source'];
        const copied = typeof source === 'string' ? objects.get(sourceKey(source, bucket))?.body : body;
        if (copied === undefined) return text(404);
        objects.set(key, { body: copied, modified_at: now });
        return text(200, source ? '<CopyObjectResult></CopyObjectResult>' : '');
      }
      case 'DELETE':
        objects.delete(key);
        return text(204);
      default:
        if (key === '') return text(200, listed(objects, query, page_size));
        return { status: objects.has(key) ? 200 : 404, body: objects.get(key)?.body ?? new Uint8Array() };
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://${bucket}`,
    environment: {
      DLO_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: keys.access_key_id,
      AWS_SECRET_ACCESS_KEY: keys.secret_access_key,
      ...(session_token === null ? {} : { AWS_SESSION_TOKEN: session_token }),
    },
    objects,
    requests,
    fail_next(fault, n = 1, method) {
      for (let i = 0; i < n; i++) waiting.push({ fault, method });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const sourceKey = (source: string, bucket: string): string =>
  decodeURIComponent(source).replace(new RegExp(`^/?${bucket}/`), '');

/** A page of ListObjectsV2; its token is the key after which the next page begins. */
function listed(objects: Map<string, StoredObject>, query: URLSearchParams, page_size: number): string {
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString('utf8');
  const found = [...objects]
    .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const page = found.slice(0, page_size);
  const last = page.at(-1)?.[0] ?? '';
  const escaped = (text: string) => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%20', '+');
  const contents = page.map(
    ([key, { body, modified_at }]) =>
      `<Contents><Key>${escaped(key)}</Key><LastModified>${modified_at}</LastModified><Size>${body.byteLength}</Size></Contents>`,
  );
  const next =
    found.length > page.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${Buffer.from(last).toString('base64')}</NextContinuationToken>`
      : '<IsTruncated>false</IsTruncated>';
  return `<ListBucketResult><EncodingType>url</EncodingType>${next}${contents.join('')}</ListBucketResult>`;
}
