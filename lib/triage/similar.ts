import { countSimilar, type Likeness } from '@/db/queries/similar-counts';
import { getSimilarTo, type SimilarTo } from '@/db/queries/similar-to';
import { exactCondition } from '@/lib/contract/exact-condition';
import { type Filter, filterToSearch } from '@/lib/contract/filter';
import type { Similar, SimilarKind } from '@/lib/contract/similar';
import { lonOnMap, METRES_PER_DEGREE } from '@/lib/crs/sphere';
import { noSuchEntry, readEntryId } from './entry-id';
import type { TriageContext } from './triage-context';

/** Counted so far; beyond it there are "more". */
export const SIMILAR_LIMIT = 10_000;
const NEARBY_KM = 5;

interface Way {
  kind: SimilarKind;
  value: string | null;
  likeness: Likeness;
  filter: Filter;
}

/** How many unresolved entries are like this one, and in what, each with the filter that finds them. @throws DlqError not_found. */
export async function similar(ctx: TriageContext, { id }: { id: string }): Promise<Similar> {
  const { role } = ctx.actor;
  const entry_id = readEntryId(id);
  return ctx.db.transaction(
    async (tx) => {
      const entry = await getSimilarTo(tx, entry_id, role);
      if (!entry) throw noSuchEntry(id);
      const ways = waysOf(entry);
      const counts = await countSimilar(
        tx,
        ways.map(({ likeness }) => likeness),
        role,
        SIMILAR_LIMIT + 1,
      );
      const items = ways.map(({ kind, value, filter }, i) => {
        const count = counts[i] ?? 0;
        const capped = count > SIMILAR_LIMIT;
        return {
          kind,
          value,
          count: capped ? SIMILAR_LIMIT : count,
          capped,
          filter: filterToSearch(filter).toString(),
        };
      });
      return { id: entry_id, items };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Without those that no filter can say: the number must be what its link shows. */
function waysOf({ signature, src_crs, task_name, code_version, crs_verdict, lon, lat }: SimilarTo): Way[] {
  const ways: Way[] = [];
  const add = (kind: SimilarKind, value: string | null, likeness: Likeness, filter: Record<string, string | null>) => {
    const conditions = Object.entries(filter).map(([field, one]) => [field, exactCondition(one)] as const);
    if (conditions.every(([, condition]) => condition !== null))
      ways.push({ kind, value, likeness, filter: Object.fromEntries(conditions) as Filter });
  };
  add('signature', signature, { signature }, { signature });
  add('source', src_crs, { task_name, src_crs }, { task_name, src_crs });
  if (lon !== null && lat !== null) {
    const bbox = around(lon, lat);
    ways.push({ kind: 'nearby', value: `${NEARBY_KM} km`, likeness: { bbox }, filter: { bbox } });
  }
  if (crs_verdict !== null && crs_verdict !== 'agrees') add('verdict', crs_verdict, { crs_verdict }, { crs_verdict });
  add('version', code_version, { task_name, code_version }, { task_name, code_version });
  return ways;
}

/** A box whose sides lie NEARBY_KM from the place; next to a pole it goes all the way round. West > east crosses 180°. */
function around(lon: number, lat: number): [number, number, number, number] {
  const reach = (NEARBY_KM * 1000) / METRES_PER_DEGREE;
  const round = (value: number) => Math.round(value * 1e5) / 1e5;
  const [south, north] = [round(Math.max(-90, lat - reach)), round(Math.min(90, lat + reach))];
  const wide = reach / Math.max(1e-9, Math.cos((lat * Math.PI) / 180));
  if (wide >= 180) return [-180, south, 180, north];
  return [round(lonOnMap(lon - wide)), south, round(lonOnMap(lon + wide)), north];
}
