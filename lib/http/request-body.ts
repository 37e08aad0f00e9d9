import { DlqError } from '@/lib/contract/error';

/** The media type of a request, lower case, without parameters; '' where it has none. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function tooLarge(max_bytes: number): DlqError {
  return new DlqError('too_large', `the body is over the limit of ${max_bytes} bytes`, { max_body_bytes: max_bytes });
}

/** A body that its handler reads itself: whole, or in pieces with bounded memory. Counts and stops at the limit. */
export class RequestBody {
  readonly content_type: string;

  /** @throws DlqError too_large at once where Content-Length is over the limit; unsupported_media_type where it is packed. */
  constructor(
    private readonly request: Request,
    readonly max_bytes: number,
  ) {
    this.content_type = mediaType(request);
    const encoding = request.headers.get('content-encoding');
    if (encoding !== null && encoding.toLowerCase() !== 'identity')
      throw new DlqError(
        'unsupported_media_type',
        `Content-Encoding ${encoding.slice(0, 40)} is not taken; send the body as it is`,
      );
    const length = Number(request.headers.get('content-length') ?? 0);
    if (length > max_bytes) throw tooLarge(max_bytes);
  }

  /** The pieces as they arrive. @throws DlqError too_large once the limit is passed, whatever Content-Length said. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.request.body === null) return;
    const reader: ReadableStreamDefaultReader<Uint8Array> = this.request.body.getReader();
    let seen = 0;
    let ended = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        seen += value.byteLength;
        if (seen > this.max_bytes) throw tooLarge(this.max_bytes);
        yield value;
      }
      ended = true;
    } finally {
      // A client may still be sending: it must not wait for us to read what nobody wants.
      if (!ended) await reader.cancel().catch(() => {});
    }
  }

  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.chunks()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The body as text. @throws DlqError bad_request where it is not UTF-8. */
  async text(): Promise<string> {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(await this.bytes());
    } catch (error) {
      if (error instanceof TypeError) throw new DlqError('bad_request', 'the body is not UTF-8');
      throw error;
    }
  }
}
