/** Headers of every answer of the API. What a handler set itself (caching of a tile, a download's type) stays. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};

export function secure(headers: Headers, request_id: string): void {
  for (const [name, value] of Object.entries(DEFAULTS)) if (!headers.has(name)) headers.set(name, value);
  headers.set('x-request-id', request_id);
}
