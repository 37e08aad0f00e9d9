import { getConfig } from '@/lib/config';
import { DlqError } from '@/lib/contract/error';
import { arrivingPieces, unpackedPieces } from './body-pieces';
import { type Place, UNBOUNDED } from './intake-gate';

/** The media type of a request, lower case, without parameters; '' where it has none. */
export function mediaType(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The size that Content-Length states, of the body as it is sent; 0 where it states none. */
function statedBytes(request: Request): number {
  const stated = request.headers.get('content-length') ?? '';
  return /^\d{1,15}$/.test(stated) ? Number(stated) : 0;
}

export interface BodyLimits {
  /** Of the body as it is read: unpacked where it is sent as gzip. */
  max_bytes: number;
  /** What to do with a body that is over the limit. */
  when_too_large?: string;
}

/** A body that its handler reads itself: whole, or in pieces with bounded memory. Counts and stops at the limit. */
export class RequestBody {
  readonly content_type: string;
  private readonly packed: boolean;
  /** What will be read, where the sender says it. */
  private readonly stated_bytes: number;

  /**
   * @param place what of the body is held in memory is counted there
   * @throws DlqError too_large at once where Content-Length is over the limit; unsupported_media_type where it is packed
   * in a way that is not taken.
   */
  constructor(
    private readonly request: Request,
    private readonly limits: BodyLimits,
    readonly place: Place = UNBOUNDED,
  ) {
    this.content_type = mediaType(request);
    const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
    if (encoding !== 'identity' && encoding !== 'gzip')
      throw new DlqError(
        'unsupported_media_type',
        `Content-Encoding “${encoding.slice(0, 40)}” is not taken; send the body as it is, or as gzip`,
      );
    this.packed = encoding === 'gzip';
    this.stated_bytes = this.packed ? 0 : statedBytes(request);
    if (this.stated_bytes > limits.max_bytes) throw tooLarge(limits, this.stated_bytes);
  }

  /** The same body under another limit. @throws DlqError too_large at once where Content-Length is over it. */
  limitedTo(limits: BodyLimits): RequestBody {
    return new RequestBody(this.request, limits, this.place);
  }

  /** The pieces as they arrive, unpacked. @throws DlqError too_large once the limit is passed, whatever Content-Length said. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.request.body === null) return;
    const arriving = arrivingPieces(this.request.body, getConfig().intake.idle_ms);
    let seen = 0;
    for await (const piece of this.packed ? unpackedPieces(arriving) : arriving) {
      seen += piece.byteLength;
      if (seen > this.limits.max_bytes) throw tooLarge(this.limits);
      yield piece;
    }
  }

  /** The body whole. @throws DlqError rate_limited, before anything is read of it, where too much is held already. */
  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let held = 0;
    this.place.hold(this.stated_bytes);
    for await (const piece of this.chunks()) {
      held += piece.byteLength;
      this.place.hold(Math.max(held, this.stated_bytes));
      pieces.push(piece);
    }
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

function tooLarge({ max_bytes, when_too_large }: BodyLimits, stated?: number): DlqError {
  const size = stated === undefined ? `more than ${max_bytes} bytes were read of it` : `it has ${stated}`;
  return new DlqError(
    'too_large',
    `the body is over the limit of ${max_bytes} bytes: ${size}${when_too_large ? `; ${when_too_large}` : ''}`,
    { max_body_bytes: max_bytes, ...(stated === undefined ? {} : { body_bytes: stated }) },
  );
}
