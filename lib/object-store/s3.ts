import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { errorOfAnswer, errorOfFailure, ObjectStoreError } from './s3-errors';
import { type ListedObject, readListPage } from './s3-list';
import { type Location, readLocation } from './s3-location';
import { type SignedRequest, sendSigned, textOf } from './s3-request';

/** Objects below one prefix of a bucket; every key is relative to it. All throw ObjectStoreError, or the abort's reason. */
export interface ObjectStore {
  put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** For a body of known length and sha256 that streams; sent once, since a stream cannot be sent again. */
  put_stream(
    key: string,
    body: ReadableStream<Uint8Array>,
    size_bytes: number,
    sha256: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** Null where there is no such object. The stream fails where the object breaks off. */
  get(key: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | null>;
  head(key: string, signal?: AbortSignal): Promise<{ size_bytes: number } | null>;
  /** In the order of the keys. */
  list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject>;
  copy(from: string, to: string): Promise<void>;
  /** Succeeds also where there is no such object. */
  remove(key: string): Promise<void>;
}

export interface ObjectStoreOptions {
  /** A request on which no byte moves for this long has failed. */
  idle_ms?: number;
  /** How often a request that waiting may help, or whose connection broke, is sent again. */
  retries?: number;
}

const EMPTY_SHA256 = createHash('sha256').digest('hex');
const RETRY_MS = 100;

/** @param url s3://bucket/prefix. @throws Error naming the variable that is missing or wrong. */
export function openObjectStore(
  url: string,
  environment: Record<string, string | undefined>,
  { idle_ms = 20_000, retries = 2 }: ObjectStoreOptions = {},
): ObjectStore {
  return new S3Store(readLocation(url, environment), idle_ms, retries);
}

type Asked = Omit<SignedRequest, 'url' | 'idle_ms' | 'sha256'> & { key: string; query?: string; sha256?: string };

class S3Store implements ObjectStore {
  constructor(
    private readonly location: Location,
    private readonly idle_ms: number,
    private readonly retries: number,
  ) {}

  async put(key: string, body: Uint8Array, signal?: AbortSignal): Promise<void> {
    const sha256 = createHash('sha256').update(body).digest('hex');
    await this.ask({ method: 'PUT', key, body, size_bytes: body.byteLength, sha256, signal }, this.retries);
  }

  async put_stream(
    key: string,
    body: ReadableStream<Uint8Array>,
    size_bytes: number,
    sha256: string,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.ask({ method: 'PUT', key, body, size_bytes, sha256, signal }, 0);
  }

  async get(key: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
    const answer = await this.open({ method: 'GET', key, signal }, this.retries);
    return answer && (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  }

  async head(key: string, signal?: AbortSignal): Promise<{ size_bytes: number } | null> {
    const answer = await this.open({ method: 'HEAD', key, signal }, this.retries);
    answer?.resume();
    return answer && { size_bytes: Number(answer.headers['content-length']) };
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
    const below = this.location.prefix;
    let token: string | null = null;
    do {
      const from: string = token === null ? '' : `continuation-token=${encodeURIComponent(token)}&`;
      const query = `${from}encoding-type=url&list-type=2&prefix=${encodeURIComponent(below + prefix)}`;
      const { objects, continuation_token } = readListPage(
        await this.ask({ method: 'GET', key: '', query, signal }, this.retries),
      );
      for (const { key, ...rest } of objects) yield { key: key.slice(below.length), ...rest };
      token = continuation_token;
    } while (token !== null);
  }

  async copy(from: string, to: string): Promise<void> {
    const { bucket, prefix } = this.location;
    const source = `/${bucket}/${encodeKey(prefix + from)}`;
    const headers = { 'x-amz-copy-source': source };
    const text = await this.ask({ method: 'PUT', key: to, headers, signal: undefined }, this.retries);
    // A copy that fails half way has answered 200 before: the error then stands in the body.
    if (text.includes('<Error>')) throw errorOfAnswer(`COPY ${from} to ${to}`, 500, text);
  }

  async remove(key: string): Promise<void> {
    await this.ask({ method: 'DELETE', key, signal: undefined }, this.retries);
  }

  /** The whole text of an answer; null's place is an error, for what must be there. */
  private async ask(asked: Asked, retries: number): Promise<string> {
    return this.again(asked, retries, async (what) => {
      const answer = await this.send(asked);
      const text = await textOf(answer);
      const status = answer.statusCode ?? 0;
      if (status >= 300 && !(asked.method === 'DELETE' && status === 404)) throw errorOfAnswer(what, status, text);
      return text;
    });
  }

  /** An answer whose body is still to be read; null for 404 of the object. */
  private async open(asked: Asked, retries: number): Promise<IncomingMessage | null> {
    return this.again(asked, retries, async (what) => {
      const answer = await this.send(asked);
      const status = answer.statusCode ?? 0;
      if (status < 300) return answer;
      const text = await textOf(answer);
      // The answer to HEAD has no body, so that a missing bucket looks like a missing object there.
      if (status === 404 && !text.includes('NoSuchBucket')) return null;
      throw errorOfAnswer(what, status, text);
    });
  }

  private send({ key, query, sha256 = EMPTY_SHA256, ...rest }: Asked): Promise<IncomingMessage> {
    const { base, prefix, credentials } = this.location;
    const url = query === undefined ? base + encodeKey(prefix + key) : `${base}?${query}`;
    return sendSigned(credentials, { ...rest, url, sha256, idle_ms: this.idle_ms });
  }

  private async again<T>(asked: Asked, retries: number, work: (what: string) => Promise<T>): Promise<T> {
    const what = `${asked.method} ${asked.query === undefined ? asked.key : 'of the list'}`;
    for (let tries = 0; ; tries++) {
      try {
        return await work(what);
      } catch (failure) {
        const error = errorOfFailure(what, failure, asked.signal);
        if (tries >= retries || !(error instanceof ObjectStoreError && error.may_help_to_wait)) throw error;
        await wait(RETRY_MS * 4 ** tries * (0.5 + Math.random()), undefined, { signal: asked.signal });
      }
    }
  }
}

/** What encodeURIComponent leaves as it is and SigV4 does not. */
const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
