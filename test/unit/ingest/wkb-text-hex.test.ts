import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfWkbText } from '@/lib/ingest/wkb-text';
import { bytesFromHex } from '@/lib/wkb/hex';

const wkb = fc.uint8Array({ maxLength: 300 }).map((rest) => `01030000a0${Buffer.from(rest).toString('hex')}`);

test('hex is read as the tolerant reader reads it, in any case', () => {
  fc.assert(
    fc.property(wkb, fc.boolean(), (text, upper) => {
      const given = upper ? text.toUpperCase() : text;
      expect(Buffer.from(bytesOfWkbText(given) ?? [])).toEqual(Buffer.from(bytesFromHex(given) ?? []));
    }),
  );
});

test.each(['0\u0130', '\uff10\uff11', '01\u0130\u0131', '0103000000\u0661\u0662'])(
  '%s holds digits of no hex',
  (text) => {
    expect(bytesOfWkbText(text)).toBeNull();
  },
);
