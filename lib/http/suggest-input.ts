import { DlqError } from '@/lib/contract/error';
import { type Filter, filterFromSearch } from '@/lib/contract/filter';
import { SUGGESTED_FIELDS, type SuggestedField } from '@/lib/contract/search';

const MOST_CHARACTERS = 500;

/** The query of `GET /api/suggest/params`. */
export function readParamsInput(search: URLSearchParams): { path: string | null; prefix: string; filter: Filter } {
  return {
    path: search.get('path'),
    prefix: readPrefix(search),
    filter: filterFromSearch(search, ['path', 'prefix']),
  };
}

/** The query of `GET /api/suggest/values`. @throws DlqError bad_request for a field whose values are not suggested. */
export function readValuesInput(search: URLSearchParams): { field: SuggestedField; prefix: string; filter: Filter } {
  const name = search.get('field') ?? '';
  const field = SUGGESTED_FIELDS.find((one) => one === name);
  if (!field)
    throw new DlqError('bad_request', `field takes ${SUGGESTED_FIELDS.join(', ')}; not “${name.slice(0, 100)}”`, {
      parameter: 'field',
    });
  return { field, prefix: readPrefix(search), filter: filterFromSearch(search, ['field', 'prefix']) };
}

/** @throws DlqError bad_request for one that is too long. */
export function readPrefix(search: URLSearchParams): string {
  const prefix = search.get('prefix') ?? '';
  if (prefix.length > MOST_CHARACTERS)
    throw new DlqError('bad_request', `prefix takes at most ${MOST_CHARACTERS} characters`, { parameter: 'prefix' });
  return prefix;
}
