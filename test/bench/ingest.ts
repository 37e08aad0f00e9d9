import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { createDb, type Db } from '@/db/client';
import { captureMany } from '@/lib/ingest/capture-many';
import { captureOne } from '@/lib/ingest/capture-one';
import { readCapture } from '@/lib/ingest/read-capture';
import { storeChunk } from '@/lib/ingest/store-chunk';
import { more, type Row } from './row';

const CLASSES = ['invalid_geometry', 'crs_mismatch', 'upstream_timeout', 'oom', 'unknown'];

/** Mulberry32: the same captures in every run. */
export function seeded(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A capture as a pipeline sends it: a polygon of 32 vertices, params, error, traceback; about 1.7 kB. */
export function line(i: number, random: () => number, prefix: string): string {
  const wkb = Buffer.alloc(13 + 32 * 16);
  wkb[0] = 1;
  wkb.writeUInt32LE(3, 1);
  wkb.writeUInt32LE(1, 5);
  wkb.writeUInt32LE(32, 9);
  const [x, y] = [random() * 360 - 180, random() * 160 - 80];
  for (let v = 0; v < 32; v++) {
    wkb.writeDoubleLE(x + Math.cos((v / 31) * 2 * Math.PI), 13 + v * 16);
    wkb.writeDoubleLE(y + Math.sin((v / 31) * 2 * Math.PI), 21 + v * 16);
  }
  const failure_class = CLASSES[i % CLASSES.length];
  return JSON.stringify({
    work_key: `${prefix}-${i}`,
    task_name: `task_${i % 7}`,
    geom_wkb: wkb.toString('hex'),
    srid: 4326,
    src_crs: i % 3 ? 'EPSG:4326' : 'EPSG:25832',
    params: { tolerance: 0.001, keep: true, layer: `layer_${i % 20}` },
    failure_class,
    error_type: 'TopologyException',
    error_text: `side location conflict at ${x} ${y} in feature ${i}`,
    traceback: `Traceback (most recent call last):\n  File "/srv/jobs/overlay.py", line ${i % 90}, in overlay\n    return a.union(b)`,
    code_version: `1.${i % 4}.0`,
    failed_at: new Date(1_780_000_000_000 + i * 1000).toISOString(),
  });
}

export async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return Math.round((count / (performance.now() - started)) * 1000);
}

async function ndjson(db: Db, lines: readonly string[]): Promise<void> {
  async function* chunks() {
    for (let i = 0; i < lines.length; i += 40) yield Buffer.from(`${lines.slice(i, i + 40).join('\n')}\n`);
  }
  const input = {
    chunks: chunks(),
    via: 'bench',
    onFailure: (error: unknown): never => {
      throw error;
    },
  };
  for await (const answers of captureMany({ db }, input))
    for (const answer of answers) if ('error' in answer) throw new Error(answer.error.message);
}

/** The same bytes by COPY into a table without index, trigger or reading: what the disk and the wire allow. */
export async function copyRaw(url: string, lines: readonly string[]): Promise<void> {
  const psql = spawn('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', 'copy raw_lines from stdin'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  psql.stdin.end(lines.map((one) => `${one.replaceAll('\\', '\\\\')}\n`).join(''));
  const [code] = await once(psql, 'exit');
  if (code !== 0) throw new Error(`psql ended with ${code}`);
}

/** The same proposals through the door for many, without reading and answering lines. */
async function chunks(db: Db, lines: readonly string[]): Promise<number> {
  const proposals = lines.map((text) => readCapture(text, { via: 'bench' }));
  return rate(proposals.length, async () => {
    for (let i = 0; i < proposals.length; i += 500) await storeChunk(db, proposals.slice(i, i + 500));
  });
}

/** `lanes` requests at a time, a capture each. */
function single(db: Db, lines: readonly string[], lanes: number): Promise<number> {
  const lane = async (_: unknown, from: number) => {
    for (let i = from; i < lines.length; i += lanes)
      await captureOne({ db }, { text: lines[i] as string, via: 'bench' });
  };
  return rate(lines.length, () => Promise.all(Array.from({ length: lanes }, lane)));
}

/**
 * Captures per second through the verbs of the doors, each beside a COPY of as many of the same lines just before it: the
 * machine may be another one a minute later. `quick` takes a quarter.
 */
export async function benchIngest(pool: pg.Pool, url: string, { quick }: { quick: boolean }): Promise<Row[]> {
  const db = createDb(pool);
  const random = seeded(7);
  const count = quick ? 5_000 : 20_000;
  const make = (prefix: string, n: number) => Array.from({ length: n }, (_, i) => line(i, random, prefix));
  await ndjson(db, make('warm', 1000));
  await pool.query('create table raw_lines (line text)');
  const copied = make('copy', count);
  const rows: Row[] = [];
  const add = async (name: string, measured: () => Promise<number>) => {
    const baseline = await rate(count, () => copyRaw(url, copied));
    await pool.query('truncate raw_lines');
    rows.push(more(`capture: ${name}`, await measured(), '/s', baseline));
  };
  const [one, first, second] = [make('one', count), make('a', count / 2), make('b', count / 2)];
  await add('one by one', () => single(db, make('single', count / 10), 1));
  await add('one by one, eight at a time', () => single(db, make('eight', count / 4), 8));
  await add('set-wise, chunks of 500', () => chunks(db, make('chunk', count)));
  await add('NDJSON, one stream', () => rate(count, () => ndjson(db, one)));
  await add('NDJSON, the same keys again', () => rate(count, () => ndjson(db, one)));
  await add('NDJSON, two streams', () => rate(count, () => Promise.all([ndjson(db, first), ndjson(db, second)])));
  return rows;
}
