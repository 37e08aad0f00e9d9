import { expect, test } from 'vitest';
import { inSteps } from '@/lib/diagnose/in-steps';
import { judge, judgeSteps } from '@/lib/diagnose/judge';

/** A ring of vertices at random: its edges cross some ten million times. */
function scribble(count: number): Uint8Array {
  const bytes = Buffer.alloc(13 + 16 * (count + 1));
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(3, 1);
  bytes.writeUInt32LE(1, 5);
  bytes.writeUInt32LE(count + 1, 9);
  let state = 7;
  for (let i = 0; i < 2 * count; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes.writeDoubleLE(state / 2_147_483_648, 13 + 8 * i);
  }
  bytes.copy(bytes, 13 + 16 * count, 13, 29);
  return bytes;
}

const evidence = {
  geom_wkb: scribble(8000),
  has_geom: true,
  geom_error: null,
  geom_given: null,
  srid: null,
  src_crs: 'EPSG:4326',
  payload_ref: null,
  referenced: null,
};

test('what crosses itself without end leaves the process free in between, and is judged the same', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const judged = await inSteps(judgeSteps(evidence));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
  expect(judged).toEqual(judge(evidence));
  expect(judged.faults.filter(({ code }) => code === 'self_intersection')).toHaveLength(100);
});
