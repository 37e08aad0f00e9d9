import { DlqError } from '@/lib/contract/error';

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** True for a request that may change something. */
export function isWrite(method: string): boolean {
  return WRITES.has(method.toUpperCase());
}

/** The name in a Host header, lower case, brackets kept, without the port; null where it is no host at all. */
export function hostName(host: string): string | null {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host.trim());
  return found?.[1]?.toLowerCase() ?? null;
}

/**
 * Refuses a request under a name that this server does not have: a page of another site that had its own name
 * pointed here (DNS rebinding) still sends that name as Host.
 */
export function checkHost(request: Request, hosts: readonly string[]): void {
  const given = request.headers.get('host') ?? new URL(request.url).host;
  const name = hostName(given);
  if (name === null || !hosts.includes(name))
    throw new DlqError('forbidden', `the Host “${given.slice(0, 200)}” is not a name of this server (DLO_HOSTS)`);
}

/**
 * Refuses a write that a page of another site makes a browser send. Browsers say where a write comes from; a pipeline
 * says nothing, and has no cookies that could be abused either.
 */
export function checkOrigin(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none')
    throw new DlqError('forbidden', `a write from another site is refused (Sec-Fetch-Site: ${site.slice(0, 40)})`);
  const origin = request.headers.get('origin');
  if (origin !== null && !isOwnOrigin(origin, request))
    throw new DlqError('forbidden', `a write from the origin “${origin.slice(0, 200)}” is refused`);
}

function isOwnOrigin(origin: string, request: Request): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim();
  const schemes = forwarded ? [forwarded] : ['http', 'https'];
  return schemes.some(
    (scheme) => URL.canParse(`${scheme}://${host}`) && new URL(`${scheme}://${host}`).origin === origin,
  );
}
