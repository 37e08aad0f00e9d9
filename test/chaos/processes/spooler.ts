import { openSpool } from '@/lib/capture/spool';

/**
 * Spools captures of different lengths, so many at once, and says of each line whether it was acknowledged:
 * `spooler.ts FOLDER FROM COUNT AT_ONCE DEADLINE_MS`. Ends without sealing, so that what is in the files is what was
 * there when it was said.
 */
const [folder = '', from = 0, count = 0, at_once = 1, deadline_ms = 10_000] = process.argv
  .slice(2)
  .map((text, i) => (i === 0 ? text : Number(text))) as [string, number, number, number, number];
const spool = openSpool({ where: folder, warn: () => {} });
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function one(n: number): Promise<void> {
  const line = JSON.stringify({ work_key: `k${n}`, text: 'x'.repeat((n * 7919) % 3000) });
  try {
    await spool.append(line, AbortSignal.timeout(deadline_ms));
    say({ acked: line });
  } catch (error) {
    say({ lost: line, reason: String(error) });
  }
}

for (let n = from; n < from + count; n += at_once) {
  await Promise.all(Array.from({ length: Math.min(at_once, from + count - n) }, (_, i) => one(n + i)));
}
// a full pipe is written to later, and what is not written would be lost with the process
await new Promise<void>((written) => process.stdout.write(`${JSON.stringify({ done: true })}\n`, () => written()));
process.kill(process.pid, 'SIGKILL');
