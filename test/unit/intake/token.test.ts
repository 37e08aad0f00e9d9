import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  curlExample,
  EMPTY_TOKEN,
  readTokenForm,
  shellText,
  type TokenForm,
  tokenState,
} from '@/components/intake/token.model';
import type { Token } from '@/lib/contract/token';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const read = (form: Partial<TokenForm>) => readTokenForm({ ...EMPTY_TOKEN, ...form }, NOW);

test('a name alone makes a token for any queue and task that ends in 90 days', () => {
  expect(read({ name: ' night-batch ' })).toEqual({
    body: {
      name: 'night-batch',
      queue: null,
      task_names: null,
      expires_at: '2027-02-28T12:00:00.000Z',
      captures_per_s: null,
    },
  });
});

test('tasks are named between commas or lines, each once', () => {
  expect(read({ name: 'n', tasks: 'clip, merge,\nclip ,, ', lifetime: '', rate: '1,000' })).toMatchObject({
    body: { task_names: ['clip', 'merge'], expires_at: null, captures_per_s: 1000 },
  });
});

test('what is wrong is said beside its field', () => {
  expect(read({})).toEqual({ problems: { name: expect.stringMatching(/Name the producer/) } });
  expect(read({ name: '42' })).toEqual({ problems: { name: expect.stringMatching(/number only/) } });
  expect(read({ name: 'n', rate: 'fast' })).toEqual({ problems: { rate: expect.stringMatching(/above 0/) } });
  expect(read({ name: 'n', rate: '-1', queue: 'q'.repeat(201) })).toMatchObject({
    problems: { rate: expect.any(String), queue: expect.any(String) },
  });
});

test('a token is in use until it is revoked or has expired', () => {
  const token = (more: Partial<Token>) => ({ revoked_at: null, expires_at: null, ...more }) as Token;
  expect(tokenState(token({}), NOW)).toBe('in_use');
  expect(tokenState(token({ expires_at: '2026-11-30T12:00:01Z' }), NOW)).toBe('in_use');
  expect(tokenState(token({ expires_at: '2026-11-30T12:00:00Z' }), NOW)).toBe('expired');
  expect(tokenState(token({ expires_at: '2026-11-30T12:00:00Z', revoked_at: '2026-01-01T00:00:00Z' }), NOW)).toBe(
    'revoked',
  );
});

test('any text is one word of a shell', () => {
  const text = 'it\'s "$HOME" `id` \\ 🗺️';
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellText(text)}`], { encoding: 'utf8' })).toBe(text);
});

test('the example sends what the token may send, and leaves the token itself to the shell', () => {
  const example = curlExample('https://dlo.example', { queue: "o'hare", task_names: ['merge', 'clip'] });
  const shown = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${example}`], {
    encoding: 'utf8',
    env: { ...process.env, DLO_TOKEN: 'dlo_p_1_secret' },
  });
  expect(shown).toContain('https://dlo.example/api/dead-letters');
  expect(shown).toContain('Authorization: Bearer dlo_p_1_secret');
  expect(JSON.parse(shown.trim().split('\n').at(-1) ?? '')).toMatchObject({ queue: "o'hare", task_name: 'merge' });
  expect(example).not.toContain('secret');
});
