import { gzipSync } from 'node:zlib';

/** Scripts that a page's HTML asks for at once, and their size as they are sent: what is read before anything is lazy. */
export async function firstLoad(base_url: string, path = '/'): Promise<{ scripts: number; gzip_bytes: number }> {
  const html = await (await fetch(`${base_url}${path}`)).text();
  // a browser that knows modules does not load what is marked for those that do not
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/\bnomodule\b/i.test(tag));
  const addresses = new Set(tags.flatMap((tag) => /\s(?:src|href)="([^"]+\.js[^"]*)"/.exec(tag)?.[1] ?? []));
  let gzip_bytes = 0;
  for (const address of addresses) {
    const script = await fetch(new URL(address, base_url));
    gzip_bytes += gzipSync(Buffer.from(await script.arrayBuffer())).length;
  }
  return { scripts: addresses.size, gzip_bytes };
}
