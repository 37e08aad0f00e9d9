import { Command } from 'commander';

const DEMO_TARGET = 'demo';

/** `dlo demo load` and `dlo demo receiver`. */
export function demoCommand(): Command {
  const demo = new Command('demo').description('the demo pipeline: 90 nights of real failures, and its way back');
  const port = process.env.PORT || '3000';
  const address = process.env.DLO_URL || `http://127.0.0.1:${port}`;

  demo
    .command('load')
    .description('run the demo pipeline’s nights and capture what fails')
    .option('--url <url>', 'base URL of the server', address)
    .option('--seed <number>', 'another seed gives other nights', whole)
    .option('--now <time>', 'the moment that counts as now, ISO 8601; last night is the one before it', moment)
    .action(runLoad);

  demo
    .command('receiver')
    .description('answer redrives as the demo pipeline does, until Ctrl-C; address and secret come from DLO_TARGETS')
    .option('--url <url>', 'base URL of the server', address)
    .option('--port <number>', 'port on 127.0.0.1 (default: that of the target named demo)', whole)
    .option('--secret <text>', 'shared secret (default: that of the target named demo)')
    .action(runReceiver);

  return demo;
}

async function runLoad(options: { url: string; seed?: number; now?: Date }): Promise<void> {
  const { loadDemo } = await import('@/db/demo/load');
  const started = performance.now();
  let shown = 0;
  const { entries, captures } = await loadDemo({
    url: options.url,
    seed: options.seed,
    now: options.now ?? new Date(),
    token: process.env.DLO_TOKEN || undefined,
    on_progress({ night, nights, entries: so_far }) {
      // A terminal gets one line that moves; a log gets nine.
      if (process.stdout.isTTY) process.stdout.write(`\rDemo: night ${night} of ${nights}, ${so_far} entries  `);
      else if (night - shown >= 10 || night === nights) {
        console.log(`Demo: night ${night} of ${nights}, ${so_far} entries`);
        shown = night;
      }
    },
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  if (process.stdout.isTTY) process.stdout.write('\n');
  console.log(`Demo: ${entries} entries from ${captures} captures in ${seconds} s`);
}

async function runReceiver(options: { url: string; port?: number; secret?: string }): Promise<void> {
  const { startReceiver } = await import('@/db/demo/receiver');
  const { stopSignal } = await import('./stop-signal.mjs');
  const target = targetOf(process.env.DLO_TARGETS);
  const secret = options.secret ?? target?.secret;
  if (!secret) throw new Error(`no secret: give --secret, or a target named ${DEMO_TARGET} in DLO_TARGETS`);
  const receiver = await startReceiver({
    port: options.port ?? Number(target ? new URL(target.url).port : 0),
    base_url: options.url,
    secret,
    token: process.env.DLO_TOKEN || undefined,
    on_redrive: (line) => console.log(line),
  });
  console.log(`The demo pipeline answers redrives at ${receiver.url}. Ctrl-C stops it.`);
  await stopSignal();
  await receiver.close();
}

function targetOf(text: string | undefined): { url: string; secret: string } | undefined {
  if (!text) return undefined;
  const targets: Record<string, { url: string; secret: string } | undefined> = JSON.parse(text);
  return targets[DEMO_TARGET];
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a whole number`);
  return value;
}

function moment(text: string): Date {
  const value = new Date(text);
  if (Number.isNaN(value.getTime())) throw new RangeError(`${text} is not a time`);
  return value;
}
