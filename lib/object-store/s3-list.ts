import { ObjectStoreError } from './s3-errors';

export interface ListedObject {
  key: string;
  size_bytes: number;
  modified_at: string;
}

export interface ListPage {
  objects: ListedObject[];
  /** Null on the last page. */
  continuation_token: string | null;
}

/** Reads one answer to ListObjectsV2, asked for with `encoding-type=url`. */
export function readListPage(xml: string): ListPage {
  const is_url_encoded = memberOf(xml, 'EncodingType') === 'url';
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, item = '']) => {
    const key = memberOf(item, 'Key') ?? '';
    return {
      key: is_url_encoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
      size_bytes: Number(memberOf(item, 'Size')),
      modified_at: memberOf(item, 'LastModified') ?? '',
    };
  });
  const is_truncated = memberOf(xml, 'IsTruncated') === 'true';
  const continuation_token = is_truncated ? memberOf(xml, 'NextContinuationToken') : null;
  // Ending here would hide the objects of the other pages.
  if (is_truncated && !continuation_token)
    throw new ObjectStoreError('the list goes on, and its answer does not say where', 200, 'no token', false);
  return { objects, continuation_token };
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function memberOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  if (text === undefined) return null;
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? whole;
  });
}
