import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headAndTail } from '@/lib/ingest/storable-text';

test('a text that was shortened once stays as it is when it comes again; one that is too long for that is shortened', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 4, max: 100 }), (text, max) => {
      const once = headAndTail(text, max);
      expect(headAndTail(once, max)).toBe(once);
    }),
  );
  const once = headAndTail('x'.repeat(500), 100);
  expect(headAndTail(`${once}y`, 100)).not.toBe(`${once}y`);
});
