import { expect, it } from 'vitest';
import { similarAddress, similarCount, similarWords } from '@/components/evidence/similar.model';
import { readTriageUrl } from '@/components/triage/triage-url.model';

it('says in what others are like the entry', () => {
  expect(similarWords({ kind: 'signature', value: 'aaaa' })).toBe('same signature');
  expect(similarWords({ kind: 'source', value: 'EPSG:2263' })).toBe('same source');
  expect(similarWords({ kind: 'source', value: null })).toBe('of this task without a claim');
  expect(similarWords({ kind: 'nearby', value: '5 km' })).toBe('within 5 km');
  expect(similarWords({ kind: 'verdict', value: 'wrong_unit' })).toBe('wrong_unit');
  expect(similarWords({ kind: 'version', value: null })).toBe('of this task without a version');
});

it('counts with thousands, and says where it stopped', () => {
  expect(similarCount({ count: 2913, capped: false })).toBe('2,913');
  expect(similarCount({ count: 10_000, capped: true })).toBe('10,000+');
});

it('leads to the filter with the entry still open', () => {
  const address = similarAddress('signature=aaaa&bbox=1%2C2%2C3%2C4', '77');
  expect(readTriageUrl(address.slice(2)).state).toMatchObject({
    filter: { signature: ['aaaa'], bbox: [1, 2, 3, 4] },
    entry: '77',
  });
});
