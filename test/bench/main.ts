import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { withBenchDatabase } from './bench-database';
import { benchDiagnose } from './diagnose';
import { benchExport } from './export';
import { benchFaults } from './faults';
import { benchIngest } from './ingest';
import { benchPage } from './page';
import { benchRedrive } from './redrive';
import type { Row } from './row';
import { benchSpool } from './spool';
import { benchCommits, benchTriage } from './triage/main';
import { benchWkb } from './wkb';

/**
 * `npm run bench [-- --quick] [--only PART]… [--json FILE]`: every figure with its baseline from the same run. Triage is
 * measured over ten million generated entries (`--quick`: one million; `--entries N`), or over those of a database that
 * `generateEntries` filled before (`--database URL --entries N`), of which it changes a tenth.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      entries: { type: 'string' },
      database: { type: 'string' },
    },
  });
  const { quick, only } = values;
  const entries = Number(values.entries ?? (quick ? 1_000_000 : 10_000_000));
  console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`);
  const parts: [string, () => Promise<Row[]>][] = [
    ['reader', benchWkb],
    ['faults', () => withBenchDatabase((pool) => benchFaults(pool))],
    ['capture', () => withBenchDatabase((pool, url) => benchIngest(pool, url, { quick }))],
    ['spool', () => withBenchDatabase((pool, url) => benchSpool(pool, url, { quick }))],
    ['diagnose', () => withBenchDatabase((pool) => benchDiagnose(pool, { quick }))],
    ['redrive', () => withBenchDatabase((pool) => benchRedrive(pool, { quick }))],
    [
      'triage',
      () =>
        values.database
          ? benchTriage(values.database, { count: entries, filled: true })
          : withBenchDatabase((_pool, url) => benchTriage(url, { count: entries })),
    ],
    ['page', benchPage],
    ['export', () => withBenchDatabase((pool, url) => benchExport(pool, url, { count: quick ? 100_000 : 1_000_000 }))],
    ['commits', () => withBenchDatabase((_pool, url) => benchCommits(url, quick ? 1_000_000 : 3_000_000))],
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
