import { NextRequest } from 'next/server';
import { expect, test, vi } from 'vitest';
import { config, proxy } from '@/proxy';

vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');

const ask = (host: string) => proxy(new NextRequest('http://localhost:3000/', { headers: { host } }));

test('a page has a policy with a nonce of its own, and no eval', () => {
  const policies = [ask('localhost:3000'), ask('localhost:3000')].map(
    (answer) => answer.headers.get('content-security-policy') ?? '',
  );
  const nonces = policies.map((policy) => /'nonce-([A-Za-z0-9+/=]{24})'/.exec(policy)?.[1]);
  expect(nonces[0]).toBeDefined();
  expect(nonces[0]).not.toBe(nonces[1]);
  for (const policy of policies) {
    expect(policy).toContain("'strict-dynamic'");
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\bhttps?:|\*/);
  }
});

test('development adds what hot reload needs', () => {
  vi.stubEnv('NODE_ENV', 'development');
  const policy = ask('localhost:3000').headers.get('content-security-policy');
  vi.stubEnv('NODE_ENV', 'test');
  expect(policy).toContain("'unsafe-eval'");
  expect(policy).toContain('ws:');
});

test('Next hears the policy with the request, and so puts the nonce on its scripts', () => {
  const answer = ask('127.0.0.1:3000');
  const overridden = answer.headers.get('x-middleware-override-headers') ?? '';
  expect(overridden.split(',')).toEqual(expect.arrayContaining(['content-security-policy', 'x-nonce']));
  expect(answer.headers.get('x-middleware-request-content-security-policy')).toBe(
    answer.headers.get('content-security-policy'),
  );
});

test('a page under a foreign name is refused, and is not framed or sniffed either way', async () => {
  const refused = ask('evil.example');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('evil.example');
  for (const answer of [refused, ask('localhost')]) {
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test.each([
  ['/', true],
  ['/dead-letters/12', true],
  ['/operations/3', true],
  ['/apiary', true],
  ['/healthz-report', true],
  ['/api/dead-letters', false],
  ['/healthz', false],
  ['/readyz', false],
  ['/_next/static/chunks/a.js', false],
  ['/basemap/land.json', false],
  ['/fonts/inter-latin.woff2', false],
])('%s goes through it: %s', (where, expected) => {
  expect(config.matcher.some((pattern) => new RegExp(`^${pattern}$`).test(where))).toBe(expected);
});
