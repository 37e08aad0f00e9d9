import { expect, test } from 'vitest';
import { hashOf, isSecretOf, newSecret, readTokenText, tokenText } from '@/lib/tokens/token-text';

test('a token is read back as it was made, underscores and hyphens of its secret included', () => {
  for (let i = 0; i < 200; i++) {
    const secret = newSecret();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(readTokenText(tokenText('42', secret))).toEqual({ id: '42', secret });
    expect(isSecretOf(hashOf(secret), secret)).toBe(true);
    expect(isSecretOf(hashOf(secret), newSecret())).toBe(false);
  }
});

const secret = 'A'.repeat(43);
test.each([
  '',
  secret,
  `dlo_p_${secret}`,
  `dlo_p__${secret}`,
  `dlo_p_1_${secret}A`,
  `dlo_p_1_${secret.slice(1)}`,
  `dlo_p_1e3_${secret}`,
  `dlo_p_-1_${secret}`,
  `dlo_p_9999999999999999999_${secret}`,
  `DLO_P_1_${secret}`,
  `dlo_p_1_${secret} `,
  `dlo_p_1_${secret}\n`,
])('“%s” is no token', (text) => expect(readTokenText(text)).toBeNull());
