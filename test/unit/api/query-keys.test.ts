import { describe, expect, test } from 'vitest';
import { queryKeys } from '@/lib/api/query-keys';
import { triageQuery } from '@/lib/api/triage';

describe('query keys', () => {
  test('are equal for equal filters, whatever the order of their members', () => {
    const one = queryKeys.triage.answer({ state: ['open'], failure_class: ['oom'] }, 'x');
    expect(queryKeys.triage.answer({ failure_class: ['oom'], state: ['open'] }, 'x')).toEqual(one);
    expect(queryKeys.triage.answer({ failure_class: ['oom'] }, 'x')).not.toEqual(one);
  });

  test('begin with what the resource is invalidated by', () => {
    expect(triageQuery({}).queryKey.slice(0, 1)).toEqual([...queryKeys.triage.all]);
    expect(queryKeys.entry.one('7').slice(0, 1)).toEqual([...queryKeys.entry.all]);
    expect(queryKeys.operations.items('7', null).slice(0, 1)).toEqual([...queryKeys.operations.all]);
  });

  test('are the same for the default order, said or not', () => {
    expect(triageQuery({}, { sort: 'failed_at', dir: 'desc' }).queryKey).toEqual(triageQuery({}).queryKey);
  });
});
