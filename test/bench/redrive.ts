import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { createDb } from '@/db/client';
import { dispatch } from '@/lib/redrive/dispatch';
import { more, type Row } from './row';

const SECONDS = 10;
/** A second of the highest rate that an operation can have. */
const BATCH = 500;

/** A target that takes everything at once. */
async function startTarget() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"outcome":"succeeded"}'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** POSTs a second without any queue, 16 at a time: what the target and this process can do at all. */
async function bareRate(url: string): Promise<number> {
  let sent = 0;
  const started = performance.now();
  const lane = async () => {
    while (performance.now() - started < (SECONDS / 3) * 1000) {
      await (await fetch(url, { method: 'POST', body: '{}' })).text();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return sent / ((performance.now() - started) / 1000);
}

/** Redrives a second: claimed, judged, intended, sent, settled, every step committed. */
export async function benchRedrive(pool: pg.Pool, { quick }: { quick: boolean }): Promise<Row[]> {
  const entries = quick ? 2_000 : 10_000;
  const { server, url } = await startTarget();
  try {
    await pool.query(
      `insert into dlq.task (task_name, code_versions, params_schema, target, updated_by) values ('t', '{1}', '{"type":"object"}', 'bench', 'bench')`,
    );
    await pool.query(
      `select count(*) from generate_series(1, $1::integer) i, lateral dlq.capture(jsonb_build_object('work_key', 'k' || i, 'task_name', 't', 'code_version', '1',
        'error_text', 'x', 'params', '{}'::jsonb), '\\x0101000000000000000000f03f0000000000000040')`,
      [entries],
    );
    const bare = await bareRate(url);
    const { rows } = await pool.query<{ entry_id: string; version: string }>(
      'select entry_id::text, version::text from dlq.state order by entry_id',
    );
    const ctx = { db: createDb(pool), actor: { name: 'bench', role: 'operator' as const } };
    const started = performance.now();
    for (let at = 0; at < rows.length; at += BATCH)
      await dispatch(ctx, {
        items: rows.slice(at, at + BATCH),
        operation_id: null,
        reason: 'bench',
        worker: 'bench',
        targets: { bench: { type: 'webhook', url, secret: 's' } },
      });
    const rate = rows.length / ((performance.now() - started) / 1000);
    const { rows: fixed } = await pool.query("select count(*)::integer as n from dlq.state where resolution = 'fixed'");
    if (fixed[0].n !== entries) throw new Error(`${fixed[0].n} of ${entries} were fixed`);
    return [more('redrive: to a webhook on loopback, against bare POSTs', rate, '/s', bare)];
  } finally {
    server.close();
  }
}
