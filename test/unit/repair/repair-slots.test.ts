import { expect, test } from 'vitest';
import { inRepairSlot } from '@/lib/repair/repair-slots';

test('two repairs run at once, a third is told to come again, and a failed one gives its place back', async () => {
  let end = () => {};
  const held = new Promise<void>((done) => {
    end = done;
  });
  const running = [inRepairSlot(() => held), inRepairSlot(() => held)];
  await expect(inRepairSlot(async () => 1)).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after_s: 2 },
  });
  end();
  await Promise.all(running);
  await expect(inRepairSlot(async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await Promise.all([inRepairSlot(async () => 1), inRepairSlot(async () => 2)])).toEqual([1, 2]);
});
