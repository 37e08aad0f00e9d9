import type pg from 'pg';
import { findFaults } from '@/lib/faults/find-faults';
import type { GeometryTree } from '@/lib/wkb/geometry-tree';
import { hexFromBytes } from '@/lib/wkb/hex';
import { readWkb } from '@/lib/wkb/read-wkb';
import { writeEwkb } from '@/lib/wkb/write-ewkb';
import { less, type Row } from './row';

const VERTICES = 1_000_000;
const ROUNDS = 3;

/** A flat ring of `count` vertices, the last one equal to the first. */
function ring(count: number, at: (n: number) => [number, number]): number[] {
  const flat: number[] = [];
  for (let n = 0; n < count - 1; n++) flat.push(...at(n));
  flat.push(...at(0));
  return flat;
}

const onCircle = (n: number): [number, number] => {
  const angle = (n / (VERTICES - 1)) * 2 * Math.PI;
  const radius = 1 + 0.001 * Math.sin(angle * 5000);
  return [13 + radius * Math.cos(angle), 52 + radius * Math.sin(angle)];
};
/** Two neighbours in the wrong order, at 50 places. */
const withSwaps = (n: number) => {
  const place = n % (VERTICES / 50);
  return onCircle(place === 7 ? n + 1 : place === 8 ? n - 1 : n);
};
const polygon = (...rings: number[][]): GeometryTree => ({ type: 3, dims: 0, rings });
/** Each of half a million long edges crosses each of as many others. */
const combs = () =>
  polygon(
    ring(VERTICES / 2, (n) => [n, n % 2 ? VERTICES : -1]),
    ring(VERTICES / 2, (n) => [n % 2 ? VERTICES : -1, n]),
  );
const smallParts = (): GeometryTree => ({
  type: 6,
  dims: 0,
  parts: Array.from({ length: VERTICES / 5 }, (_, n) => {
    const [x, y] = [n % 500, Math.trunc(n / 500)];
    return polygon([x, y, x + 0.5, y, x + 0.5, y + 0.5, x, y + 0.5, x, y]);
  }),
});

/** The quickest of some rounds: wall time of both, since the database's CPU time cannot be asked; and CPU time of this process. */
async function quickest(work: () => unknown): Promise<{ wall_ms: number; cpu_ms: number }> {
  let [wall_ms, cpu_ms] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const cpu = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(cpu);
    wall_ms = Math.min(wall_ms, performance.now() - start);
    cpu_ms = Math.min(cpu_ms, (user + system) / 1000);
  }
  return { wall_ms, cpu_ms };
}

/** All faults against ST_IsValidDetail, which ends at the first one, on the same geometry in the same run. */
export async function benchFaults(pool: pg.Pool): Promise<Row[]> {
  const cases: [string, GeometryTree][] = [
    ['1 M vertices, valid', polygon(ring(VERTICES, onCircle))],
    ['1 M vertices, 50 faults', polygon(ring(VERTICES, withSwaps))],
    ['1 M vertices in 200,000 parts, valid', smallParts()],
    ['1 M vertices, 10^11 crossings, to the bound', combs()],
  ];
  const rows: Row[] = [];
  const client = await pool.connect();
  try {
    await client.query('set client_min_messages = error');
    await client.query('create temporary table shape (geom geometry)');
    for (const [name, tree] of cases) {
      const bytes = writeEwkb(tree);
      const reading = readWkb(bytes);
      await client.query('truncate shape');
      await client.query('insert into shape select $1::text::geometry', [hexFromBytes(bytes)]);
      const own = await quickest(() => findFaults(reading));
      const postgis = await quickest(() => client.query('select (st_isvaliddetail(geom)).valid from shape'));
      rows.push(less(`faults: ${name}`, own.wall_ms, 'ms', postgis.wall_ms));
      rows.push(less(`faults: ${name}`, own.cpu_ms, 'ms cpu', null));
    }
  } finally {
    client.release(true);
  }
  return rows;
}
