import { suggestParamPaths, suggestParamValues } from '@/db/queries/suggest-params';
import { DlqError } from '@/lib/contract/error';
import type { Filter } from '@/lib/contract/filter';
import { paramPathText, readParamPath } from '@/lib/contract/param-path';
import type { ParamSuggestions } from '@/lib/contract/search';
import type { TriageContext } from './triage-context';

const MOST = 50;

/**
 * Paths of params, or the values at one, that begin with `prefix` in any case; from a sample of the newest entries.
 * @throws DlqError bad_request for a path that cannot be read.
 */
export async function suggestParams(
  { db, actor }: TriageContext,
  { path, prefix, filter }: { path: string | null; prefix: string; filter: Filter },
): Promise<ParamSuggestions> {
  const asked = { filter, role: actor.role };
  const wanted = prefix.toLowerCase();
  if (path === null) {
    const { paths, ...sample } = await suggestParamPaths(db, asked);
    const named = paths.map(({ steps, types, count }) => ({ path: paramPathText(steps), types, count }));
    const known = named.filter((one) => one.path.length <= 500 && one.path.toLowerCase().startsWith(wanted));
    return { paths: known.slice(0, MOST) as ParamSuggestions['paths'], values: [], ...sample };
  }
  const steps = readParamPath(path);
  if (!steps || path.includes('\0'))
    throw new DlqError('bad_request', `path takes a path such as tile.zoom or a."b.c", not “${path.slice(0, 100)}”`);
  const { values, ...sample } = await suggestParamValues(db, { ...asked, steps });
  const known = values.filter(
    ({ value }) =>
      String(value).toLowerCase().startsWith(wanted) &&
      !(Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER && typeof value === 'number'),
  );
  return { paths: [], values: known.slice(0, MOST), ...sample };
}
