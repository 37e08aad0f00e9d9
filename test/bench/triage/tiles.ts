import type { TileAddress } from '@/db/queries/cells-tile';
import type { Filter } from '@/lib/contract/filter';
import { tile } from '@/lib/triage/tile';
import type { TriageContext } from '@/lib/triage/triage-context';
import { percentile, timeOf, timesOf } from '../percentile';
import { less, type Row } from '../row';
import type { MapServer } from './mapserver';
import { densestTile, plainTile } from './plain-tiles';

const ZOOMS = [0, 4, 8, 12];
const TILE_FILTERS: Readonly<Record<string, Filter>> = {
  none: {},
  'class and 30 days': {
    failure_class: ['crs_mismatch'],
    since: '2026-10-15T00:00:00Z',
    until: '2026-11-14T00:00:00Z',
  },
};

/** What others take for a tile, and how many bytes it has. */
interface Baseline {
  ms: number;
  bytes: number;
}
export interface TileCase {
  name: string;
  address: TileAddress;
  filter: Filter;
  st_asmvt: Baseline;
  mapserver: Baseline | null;
}

/** The densest tile of each zoom, and what ST_AsMVT over the tables and MapServer take for it: one run each. */
export async function tileCases(ctx: TriageContext, mapserver: MapServer | null): Promise<TileCase[]> {
  const cases: TileCase[] = [];
  for (const z of ZOOMS) {
    const address = await densestTile(ctx.db, z);
    for (const [filter_name, filter] of Object.entries(TILE_FILTERS)) {
      const unfiltered = Object.keys(filter).length === 0;
      cases.push({
        name: `tile ${address.z}/${address.x}/${address.y}, ${filter_name}`,
        address,
        filter,
        st_asmvt: await measured(() => plainTile(ctx.db, address, filter)),
        mapserver: mapserver && unfiltered ? await measured(() => mapserver.tile(address)) : null,
      });
    }
  }
  return cases;
}

export async function benchTiles(ctx: TriageContext, cases: readonly TileCase[]): Promise<Row[]> {
  const rows: Row[] = [];
  const all: number[] = [];
  for (const { name, address, filter, st_asmvt, mapserver } of cases) {
    const ask = () => tile(ctx, { ...address, filter, known: [] });
    const times = await timesOf(ask);
    all.push(...times);
    const ms = percentile(times, 0.95);
    const bytes = (await ask()).mvt?.length ?? 0;
    rows.push(less(`${name}, beside ST_AsMVT`, ms, 'ms p95', st_asmvt.ms));
    rows.push(less(`${name}, beside ST_AsMVT`, bytes, 'bytes', st_asmvt.bytes));
    if (mapserver) {
      rows.push(less(`${name}, beside MapServer`, ms, 'ms p95', mapserver.ms));
      rows.push(less(`${name}, beside MapServer`, bytes, 'bytes', mapserver.bytes));
    }
  }
  rows.push(
    less(
      `${cases.length} tiles`,
      percentile(all, 0.95),
      'ms p95',
      percentile(
        cases.map(({ st_asmvt }) => st_asmvt.ms),
        0.95,
      ),
    ),
  );
  return rows;
}

async function measured(work: () => Promise<number>): Promise<Baseline> {
  let bytes = 0;
  const ms = await timeOf(async () => {
    bytes = await work();
  });
  return { ms, bytes };
}
