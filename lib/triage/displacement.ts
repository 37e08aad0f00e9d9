import { countDisplacementGroups, type DisplacementCount } from '@/db/queries/displacement-groups';
import { type DisplacementSample, sampleDisplacement } from '@/db/queries/displacement-sample';
import type { DisplacementAnswer, DisplacementGroup } from '@/lib/contract/displacement';
import { exactCondition } from '@/lib/contract/exact-condition';
import { type Filter, filterToSearch } from '@/lib/contract/filter';
import { readClaim } from '@/lib/crs/claim';
import { describeDisplacement } from '@/lib/crs/displacement';
import type { Landing, SourceGrid } from '@/lib/crs/displacement-group';
import { placeOfCell } from '@/lib/crs/displacement-place';
import { fromLonLat } from '@/lib/crs/place';
import { identifyClaim } from '@/lib/crs/registry/identify';
import { tileCentre } from '@/lib/crs/web-mercator';
import type { TriageContext } from './triage-context';

/** More change no median that a sentence says, and each is two index probes: 14 ms of CPU a thousand. */
export const SAMPLE_LIMIT = 4_000;
const GROUP_LIMIT = 100;

/** How the entries that match lie to their tiles: by class, task and claim, the largest groups first. */
export async function displacement(ctx: TriageContext, { filter }: { filter: Filter }): Promise<DisplacementAnswer> {
  const { role } = ctx.actor;
  return ctx.db.transaction(
    async (tx) => {
      const counts = await countDisplacementGroups(tx, filter, role, GROUP_LIMIT);
      const samples = counts.length === 0 ? [] : await sampleDisplacement(tx, filter, role, SAMPLE_LIMIT);
      const by_group = new Map(samples.map((sample) => [keyOf(sample), sample]));
      const [first] = counts;
      return {
        as_of: first?.as_of ?? new Date().toISOString(),
        total: first?.total ?? 0,
        sampled: samples.reduce((sum, { cells }) => sum + cells.length, 0),
        sample_limit: SAMPLE_LIMIT,
        group_count: first?.group_count ?? 0,
        groups: counts.map((count) => groupOf(count, by_group.get(keyOf(count)) ?? null, filter)),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const keyOf = ({
  failure_class,
  task_name,
  src_crs,
}: Pick<DisplacementCount, 'failure_class' | 'task_name' | 'src_crs'>) =>
  JSON.stringify([failure_class, task_name, src_crs]);

function groupOf(count: DisplacementCount, sample: DisplacementSample | null, filter: Filter): DisplacementGroup {
  const { failure_class, task_name, src_crs } = count;
  const landings = sample ? landingsOf(sample) : [];
  const found = describeDisplacement(landings, gridOf(src_crs));
  return {
    failure_class,
    task_name,
    src_crs,
    count: count.count,
    sampled: landings.length,
    in_tile: found?.in_tile ?? 0,
    kind: found?.kind ?? null,
    sentence: found?.sentence ?? `none among the ${SAMPLE_LIMIT.toLocaleString('en-GB')} newest`,
    from: found && [found.from[0], found.from[1]],
    to: found && [found.to[0], found.to[1]],
    distance_m: found?.distance_m ?? null,
    spread_m: found?.spread_m ?? null,
    bearing: found?.bearing ?? null,
    crs_verdict: sample?.crs_verdict ?? null,
    suggestion: sample?.suggestion ?? null,
    filter: narrowed(filter, count),
  };
}

function landingsOf({ cells, tiles, tile_distances_m }: DisplacementSample): Landing[] {
  return cells.map((cell, i) => {
    const [tile_z, x, y] = tiles[i]!;
    return {
      from: placeOfCell(cell),
      to: tileCentre({ z: tile_z, x, y }),
      tile_z,
      tile_distance_m: tile_distances_m[i] ?? null,
    };
  });
}

/** The claim's own coordinates, where it is a projected CRS that can be computed here; degrees need no grid. */
function gridOf(src_crs: string | null): SourceGrid | null {
  const record = identifyClaim(readClaim(src_crs))?.record ?? null;
  if (record?.kind !== 'projected' || record.proj === null) return null;
  return {
    crs: record.id,
    metres_per_unit: record.unit_factor ?? 1,
    forward: ([lon, lat]) => fromLonLat(record, lon, lat),
  };
}

function narrowed(filter: Filter, { failure_class, task_name, src_crs }: DisplacementCount): string | null {
  const [of_class, of_task, of_claim] = [failure_class, task_name, src_crs].map(exactCondition);
  if (!of_class || !of_task || !of_claim) return null;
  return filterToSearch({ ...filter, failure_class: of_class, task_name: of_task, src_crs: of_claim }).toString();
}
