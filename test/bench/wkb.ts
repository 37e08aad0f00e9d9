import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import wkx from 'wkx';
import { ewkbFromWkt } from '@/lib/wkb/from-wkt';
import { readWkb } from '@/lib/wkb/read-wkb';
import { less, more, type Row } from './row';
import { countRight, olFormat } from './wkb-encodings';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const VERTICES = 1_000_000;
const ROUNDS = 5;

/** A closed ring of `count` vertices on a slightly noisy circle, as little-endian EWKB with SRID 4326. */
function polygon(count: number): Uint8Array {
  const bytes = new Uint8Array(17 + count * 16);
  const view = new DataView(bytes.buffer);
  bytes[0] = 1;
  view.setUint32(1, 0x20000003, true);
  view.setUint32(5, 4326, true);
  view.setUint32(9, 1, true);
  view.setUint32(13, count, true);
  for (let i = 0; i < count; i++) {
    const angle = ((i % (count - 1)) / (count - 1)) * 2 * Math.PI;
    const radius = 1 + 0.001 * Math.sin(angle * 5000);
    view.setFloat64(17 + i * 16, 13 + radius * Math.cos(angle), true);
    view.setFloat64(25 + i * 16, 52 + radius * Math.sin(angle), true);
  }
  return bytes;
}

/** 16 MB of empty lines: the most parts that bytes of this size can hold as geometries. */
function emptyLines(count: number): Uint8Array {
  const bytes = new Uint8Array(9 + count * 9);
  bytes.set([1, 7, 0, 0, 0]);
  new DataView(bytes.buffer).setUint32(5, count, true);
  for (let at = 9; at < bytes.length; at += 9) bytes.set([1, 2, 0, 0, 0], at);
  return bytes;
}

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Array buffers are freed one collection after the views on them. */
function settle(): void {
  for (let i = 0; i < 3; i++) collectGarbage();
}

/** Median CPU ms of some rounds after one to warm up, and the memory that the last result still holds. */
function measure(work: () => unknown): { cpu_ms: number; held_mb: number } {
  work();
  const times = Array.from({ length: ROUNDS }, () => cpuMs(work)).sort((a, b) => a - b);
  settle();
  const before = process.memoryUsage();
  const sink = work();
  settle();
  const after = process.memoryUsage();
  const held = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  return { cpu_ms: times[ROUNDS >> 1] as number, held_mb: sink === null ? 0 : held / 1e6 };
}

/** Our reader against wkx and OpenLayers' in one run: what each reads right, one polygon of 1 M vertices, and a bomb. */
export async function benchWkb(): Promise<Row[]> {
  const right = countRight();
  const bytes = polygon(VERTICES);
  const buffer = Buffer.from(bytes.buffer);
  const bomb = emptyLines(1_860_000);
  const wkt = `LINESTRING(${Array.from({ length: 100_000 }, (_, i) => `${i / 7} ${i / 3}`).join(',')})`;
  const own = measure(() => readWkb(bytes));
  const by_wkx = measure(() => wkx.Geometry.parse(buffer));
  const by_ol = measure(() => olFormat.readGeometry(bytes));
  const own_bomb = measure(() => readWkb(bomb));
  const wkx_bomb = measure(() => wkx.Geometry.parse(Buffer.from(bomb.buffer)));
  const own_wkt = measure(() => ewkbFromWkt(wkt));
  const wkx_wkt = measure(() => wkx.Geometry.parse(wkt));
  return [
    more('wkb: encodings read right, against wkx', right.own, `of ${right.all}`, right.wkx),
    more('wkb: encodings read right, against ol', right.own, `of ${right.all}`, right.ol),
    less('wkb: read 1 M vertices, faults included, against wkx', own.cpu_ms, 'ms cpu', by_wkx.cpu_ms),
    less('wkb: read 1 M vertices, faults included, against ol', own.cpu_ms, 'ms cpu', by_ol.cpu_ms),
    less('wkb: memory held by 1 M vertices (16 MB of bytes), against wkx', own.held_mb, 'MB', by_wkx.held_mb),
    less('wkb: memory held by 1 M vertices (16 MB of bytes), against ol', own.held_mb, 'MB', by_ol.held_mb),
    less('wkb: 16 MB of empty lines, capped, against wkx', own_bomb.cpu_ms, 'ms cpu', wkx_bomb.cpu_ms),
    less('wkb: memory held by 16 MB of empty lines, against wkx', own_bomb.held_mb, 'MB', wkx_bomb.held_mb),
    less('wkb: WKT of 100,000 vertices to EWKB, against wkx', own_wkt.cpu_ms, 'ms cpu', wkx_wkt.cpu_ms),
  ];
}
