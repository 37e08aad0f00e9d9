import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { getConfig } from '@/lib/config';
import { DlqError } from '@/lib/contract/error';
import { STATUS } from '@/lib/http/errors';
import { contentSecurityPolicy, PAGE_HEADERS } from '@/lib/http/page-security';
import { checkHost } from '@/lib/http/same-site';

/**
 * Runs before every page: Host, and the headers with the page's nonce. It grants nothing: handlers check Host, role and
 * origin themselves, whether this ran or not.
 */
export function proxy(request: NextRequest): NextResponse {
  try {
    checkHost(request, getConfig().hosts);
  } catch (error) {
    if (!(error instanceof DlqError)) throw error;
    return new NextResponse(`${error.message}\n`, {
      status: STATUS[error.code],
      headers: { ...PAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, { development: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  // Next takes the nonce for its own scripts from the policy of the request.
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
  return response;
}

/** Not the API and the probes, which have their wrapper, and not files with nothing to protect. */
export const config = {
  matcher: [
    '/((?!api/|healthz$|readyz$|metrics$|_next/static/|_next/image/|basemap/|fonts/|clients/|favicon.ico$|icon.svg$).*)',
  ],
};
