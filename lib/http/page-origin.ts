/**
 * Where this page was asked for, as far as the server sees it: behind a proxy that ends TLS without saying so the
 * browser knows better. The Host has been checked before any page is made.
 */
export function pageOrigin(headers: Headers): string {
  const host = headers.get('host') ?? 'localhost';
  return `${headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${host}`;
}
