import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Filter } from '@/lib/contract/filter';
import { triageSchema } from '@/lib/contract/triage';
import { tile } from '@/lib/triage/tile';
import { triage } from '@/lib/triage/triage';
import { generateEntries } from '@/test/bench/generate/entries';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { readMvt } from '@/test/support/read-mvt';

const COUNT = 60_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await generateEntries(database.pool, COUNT);
});
afterAll(() => database?.drop());

const actor = { name: 'someone', role: 'operator' as const };
const order = { sort: 'failed_at', dir: 'desc', limit: 100, cursor: null } as const;

/** Printed, not asserted: the machine is not ours alone. */
async function timed<Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> {
  await work();
  const started = performance.now();
  const answer = await work();
  process.stdout.write(`${what}, ${COUNT} entries: ${Math.round(performance.now() - started)} ms\n`);
  return answer;
}

test('a queue of 60,000 is answered whole: counts add up, in every facet and on the map', async () => {
  const filters: Record<string, Filter> = {
    none: {},
    class: { failure_class: ['crs_mismatch'] },
    bbox: { bbox: [-90, 30, -80, 45] },
  };
  for (const [name, filter] of Object.entries(filters)) {
    const answer = triageSchema.parse(
      await timed(`triage, ${name}`, () => triage({ db: database.db, actor }, { filter, ...order })),
    );
    expect(answer.total).toBeGreaterThan(0);
    for (const facet of ['error_class', 'task_name', 'code_version'] as const)
      expect(sum(answer.facets[facet].values.map(({ count }) => count)), `${name} ${facet}`).toBe(answer.total);
    expect(sum(answer.histogram.bins.flatMap(({ counts }) => Object.values(counts))), name).toBe(answer.total);
    const { mvt } = await timed(`tile 0/0/0, ${name}`, () =>
      tile({ db: database.db, actor }, { z: 0, x: 0, y: 0, filter, known: [] }),
    );
    const cells = readMvt(mvt ?? Buffer.alloc(0)).cells?.features ?? [];
    expect(sum(cells.map(({ properties }) => Number(properties.total))), name).toBe(
      answer.total - answer.not_mapped.total,
    );
  }
});

test('no tile of a queue of 60,000 is over 100 kB', async () => {
  for (const [z, x, y] of [
    [0, 0, 0],
    [3, 1, 3],
    [5, 7, 12],
    [6, 16, 24],
  ] as const) {
    const { mvt } = await tile({ db: database.db, actor }, { z, x, y, filter: {}, known: [] });
    expect(mvt?.length, `${z}/${x}/${y}`).toBeLessThan(100_000);
  }
});

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);
