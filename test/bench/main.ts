import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { withBenchDatabase } from './bench-database';
import { benchDiagnose } from './diagnose';
import { benchFaults } from './faults';
import { benchIngest } from './ingest';
import { benchRedrive } from './redrive';
import type { Row } from './row';
import { benchSpool } from './spool';
import { benchTriage } from './triage/main';
import { benchWkb } from './wkb';

/** `npm run bench [-- --quick] [--only PART]… [--json FILE]`: every figure with its baseline from the same run. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
    },
  });
  const { quick, only } = values;
  console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`);
  const parts: [string, () => Promise<Row[]>][] = [
    ['reader', benchWkb],
    ['faults', () => withBenchDatabase((pool) => benchFaults(pool))],
    ['capture', () => withBenchDatabase((pool, url) => benchIngest(pool, url, { quick }))],
    ['spool', () => withBenchDatabase((pool, url) => benchSpool(pool, url, { quick }))],
    ['diagnose', () => withBenchDatabase((pool) => benchDiagnose(pool, { quick }))],
    ['redrive', () => withBenchDatabase((pool) => benchRedrive(pool, { quick }))],
    ['triage', () => withBenchDatabase((pool) => benchTriage(pool, quick ? 50_000 : 200_000))],
  ];
  const names = parts.map(([name]) => name);
  const stray = only?.find((name) => !names.includes(name));
  if (stray !== undefined) throw new Error(`--only ${stray}: the parts are ${names.join(', ')}`);
  const rows: Row[] = [];
  for (const [name, run] of parts) {
    if (only && !only.includes(name)) continue;
    console.log(`\n${name}`);
    const part = await run();
    console.table(part);
    rows.push(...part);
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

await main();
