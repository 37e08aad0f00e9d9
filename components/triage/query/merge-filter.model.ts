import { type Filter, SET_FIELDS } from '@/lib/contract/filter';

/**
 * The filter with what was typed added to it: values join those of their field, the opposite of a value gives way to
 * it, words join the words; what there can be only one of is replaced.
 */
export function mergeFilter(filter: Filter, typed: Filter): Filter {
  const merged: Filter = { ...filter, ...typed };
  for (const field of SET_FIELDS) {
    const fresh = typed[field];
    if (!fresh) continue;
    const opposite = fresh.map((value) => (value.startsWith('!') ? value.slice(1) : `!${value}`));
    const kept = (filter[field] ?? []).filter((each) => !fresh.includes(each) && !opposite.includes(each));
    Object.assign(merged, { [field]: [...new Set([...kept, ...fresh])] });
  }
  if (typed.place) merged.place = [...new Set([...(filter.place ?? []), ...typed.place])];
  if (typed.params) {
    const own = typed.params.map((param) => JSON.stringify(param));
    merged.params = [...(filter.params ?? []).filter((param) => !own.includes(JSON.stringify(param))), ...typed.params];
  }
  if (typed.q && filter.q && typed.q !== filter.q) merged.q = `${filter.q} ${typed.q}`;
  return merged;
}
