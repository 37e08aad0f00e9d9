import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { createDb } from '@/db/client';
import { captureMany } from '@/db/queries/capture-many';
import { openBlobStore } from '@/lib/blobs/open-blob-store';
import { payloadRef } from '@/lib/dead-letter/size-rule';
import { diagnoseBatch } from '@/lib/diagnose/diagnose-batch';
import { captureOne } from '@/lib/ingest/capture-one';
import { readCapture } from '@/lib/ingest/read-capture';
import { putBlob } from '../support/put-blob';
import { less, more, type Row } from './row';

const VERTICES = 1_000_000;

/** A closed ring on a slightly noisy circle, as little-endian WKB. */
function circle([cx, cy]: readonly [number, number], radius: number, wrap: boolean): Buffer {
  const bytes = Buffer.alloc(13 + VERTICES * 16);
  bytes[0] = 1;
  bytes.writeUInt32LE(3, 1);
  bytes.writeUInt32LE(1, 5);
  bytes.writeUInt32LE(VERTICES, 9);
  for (let i = 0; i < VERTICES; i++) {
    const angle = ((i % (VERTICES - 1)) / (VERTICES - 1)) * 2 * Math.PI;
    const r = radius * (1 + 0.001 * Math.sin(angle * 5000));
    const x = cx + r * Math.cos(angle);
    bytes.writeDoubleLE(wrap && x > 180 ? x - 360 : x, 13 + i * 16);
    bytes.writeDoubleLE(cy + r * Math.sin(angle), 21 + i * 16);
  }
  return bytes;
}

const LARGE = [
  ['in UTM', 'EPSG:25832', [500_000, 5_600_000], 50_000],
  ['over 180°', 'EPSG:4326', [179.5, 10], 5],
  ['round a pole', 'EPSG:3031', [0, 0], 1_000_000],
] as const;

/** What the worker takes for entries of a usual size and for 1 M vertices (16 MB in the blob store), beside PostGIS alone. */
export async function benchDiagnose(pool: pg.Pool, { quick }: { quick: boolean }): Promise<Row[]> {
  const db = createDb(pool);
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-bench-'));
  const store = openBlobStore(folder, {});
  try {
    const rows = [await usual(pool, quick ? 1000 : 5000)];
    for (const [where, src_crs, centre, radius] of LARGE) {
      const bytes = circle(centre, radius, src_crs === 'EPSG:4326');
      const alone = await timed(() =>
        pool.query(
          `select (ST_IsValidDetail(g)).valid, ST_NPoints(ST_Transform(ST_SetSRID(g, $2::integer), 4326))
           from (select encode($1::bytea, 'hex')::geometry as g offset 0) x`,
          [bytes, Number(src_crs.slice(5))],
        ),
      );
      const text = JSON.stringify({
        work_key: where,
        task_name: where,
        src_crs,
        payload_ref: payloadRef(await putBlob({ db, store }, bytes)),
      });
      await captureOne({ db }, { text, via: 'http' });
      const whole = await timed(() => diagnoseBatch(db, () => store));
      rows.push(less(`diagnose: 1 M vertices ${where}, against ST_IsValidDetail and ST_Transform`, whole, 'ms', alone));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Small polygons of ten tasks in five CRSs; the baseline reprojects and validates the same rows in one statement. */
async function usual(pool: pg.Pool, count: number): Promise<Row> {
  const db = createDb(pool);
  const crs = ['EPSG:25832', 'EPSG:4326', 'EPSG:3857', 'EPSG:27700', 'EPSG:2154'];
  const at = [500_000, 7, 800_000, 400_000, 650_000];
  const lines = Array.from({ length: count }, (_, i) => {
    const [x, step] = [(at[i % 5] as number) + (i % 997) / 1000, i % 5 === 1 ? 0.01 : 10];
    const y = i % 5 === 1 ? 50 : i % 5 === 3 ? 300_000 : i % 5 === 4 ? 6_700_000 : 5_600_000;
    const ring = `${x} ${y},${x + step} ${y},${x + step} ${y + step},${x} ${y}`;
    return JSON.stringify({
      work_key: `u${i}`,
      task_name: `t${i % 10}`,
      geom_wkt: `POLYGON((${ring}))`,
      src_crs: crs[i % 5],
    });
  });
  for (let from = 0; from < count; from += 500)
    await captureMany(
      db,
      lines.slice(from, from + 500).map((line) => readCapture(line, { via: 'http' })),
    );
  const raw = () =>
    pool.query(
      `select count(ST_Transform(ST_SetSRID(p.geom, split_part(p.src_crs, ':', 2)::integer), 4326)),
         count(*) filter (where (ST_IsValidDetail(p.geom)).valid) from dlq.payload p`,
    );
  await raw();
  const alone = await timed(raw);
  await diagnoseBatch(db);
  let done = 0;
  const ms = await timed(async () => {
    for (let taken = await diagnoseBatch(db); taken > 0; taken = await diagnoseBatch(db)) done += taken;
  });
  return more(
    'diagnose: small polygons, against ST_IsValidDetail and ST_Transform',
    (done / ms) * 1000,
    'entries/s',
    (count / alone) * 1000,
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
