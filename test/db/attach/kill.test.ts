import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followIntoTables } from '@/lib/ingest/write-back';
import { cloneDatabase, type TestDatabase } from '../../support/database';

const ROWS = 1200;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await database.pool.query(
    `create table public.team_failures (
       work_key text primary key, task_name text not null, params jsonb not null, error_text text, attempts integer not null default 1,
       failed_at timestamptz not null, resolved_at timestamptz
     );
     insert into public.team_failures
       select 'unit-' || i, 'tile', jsonb_build_object('i', i), 'failed', 1 + i % 3, '2026-11-01T00:00:00Z', case when i % 2 = 0 then '2026-11-02T00:00:00Z'::timestamptz end
       from generate_series(1, ${ROWS}) i`,
  );
});
afterAll(() => database?.drop());

/** Runs the command; `on_line` sees its process, to signal it. */
function dlo(args: string[], on_line: (line: string, signal: (name: NodeJS.Signals) => void) => void = () => {}) {
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../../lib/cli/dlo.mjs'), ...args], {
      env: { ...process.env, DATABASE_URL: database.url, DLO_LOG_LEVEL: 'silent' },
    });
    let output = '';
    const hear = (chunk: Buffer) => {
      output += chunk;
      on_line(String(chunk), (name) => child.kill(name));
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Old units fail again and new ones come, until told to stop; answers how many failures were committed. */
async function write(keep_on: () => boolean, writer: number): Promise<number> {
  const client = await database.pool.connect();
  let written = 0;
  try {
    for (; keep_on(); written++)
      await client.query(
        `insert into team_failures (work_key, task_name, params, error_text, failed_at) values ($1, 'tile', '{}', 'again', now())
         on conflict (work_key) do update set attempts = team_failures.attempts + 1, error_text = excluded.error_text, failed_at = now()`,
        [`unit-${1 + ((written * 37 + writer * 11) % (ROWS + 40))}`],
      );
  } finally {
    client.release();
  }
  return written;
}

test('a backfill killed and interrupted among running writers goes on where it was, and counts each failure once', async () => {
  let running = true;
  const writers = Promise.all([0, 1].map((writer) => write(() => running, writer)));
  const killed = await dlo(
    ['attach', 'team_failures', '--chunk', '20'],
    (line, signal) => line.includes('Taken in') && signal('SIGKILL'),
  );
  expect(killed.code).toBeNull();
  const interrupted = await dlo(
    ['attach', 'team_failures', '--chunk', '20'],
    (line, signal) => line.includes('Taken in') && signal('SIGINT'),
  );
  expect(interrupted).toMatchObject({
    code: 130,
    output: expect.stringContaining('Stopped. The same command goes on from here'),
  });
  const [{ read }] = (await database.pool.query('select rows_read::int as read from dlq.attached_table')).rows;
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(ROWS);
  const finished = await dlo(['attach', 'team_failures']);
  running = false;
  await writers;
  expect(finished).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Compared: 1\d{3} rows; .*, 0 skipped, 0 missing/),
  });

  // a row that failed again before it was attached still bears its old mark, which the worker takes off
  while ((await followIntoTables(database.db)) > 0);
  const { rows: wrong } = await database.pool.query(
    `select t.work_key, t.attempts as theirs, e.attempts as ours, (select count(*)::int from dlq.occurrence o where o.entry_id = e.id) as occurrences, r.attempts_before,
       t.resolved_at, s.state
     from team_failures t left join dlq.entry e on e.work_key = t.work_key left join dlq.state s on s.entry_id = e.id left join dlq.attached_row r on r.entry_id = e.id
     where e.attempts is distinct from t.attempts or e.attempts <> (select count(*) from dlq.occurrence o where o.entry_id = e.id) + r.attempts_before
       or (t.resolved_at is not null) <> (s.state = 'resolved')`,
  );
  expect(wrong).toEqual([]);
}, 180_000);

test('a dry run of either command prints what it would run, and changes nothing', async () => {
  const [before] = (await database.pool.query('select count(*) from pg_trigger')).rows;
  await database.pool.query('create table public.untouched (id integer primary key, error text)');
  const attach = await dlo(['attach', 'untouched', '--dry-run', '--map', 'error=error_text']);
  expect(attach).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /create trigger zz_dead_letters_\d+_capture before insert on public\.untouched[\s\S]*Nothing was changed/,
    ),
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'dlo-password-'));
  writeFileSync(path.join(folder, 'password'), 'never shown\n');
  const role = await dlo([
    'producer-role',
    'nobody_yet',
    '--password-file',
    path.join(folder, 'password'),
    '--queue',
    'tiles',
    '--dry-run',
  ]);
  rmSync(folder, { recursive: true });
  expect(role).toMatchObject({
    code: 0,
    output: expect.stringMatching(/create role nobody_yet;[\s\S]*'tiles'[\s\S]*Nothing was changed/),
  });
  expect(role.output).not.toMatch(/never shown|SCRAM/);
  expect((await database.pool.query('select count(*) from pg_trigger')).rows).toEqual([before]);
  expect((await database.pool.query("select 1 from pg_roles where rolname = 'nobody_yet'")).rows).toEqual([]);
});

test('a wrong call says what is wrong on one line', async () => {
  expect(await dlo(['attach'])).toMatchObject({ code: 1, output: 'name a table, or give --list\n' });
  expect(await dlo(['attach', 'untouched', '--map', 'error'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('write column=field'),
  });
  expect(await dlo(['producer-role', 'pg_monitor'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('keeps for itself'),
  });
});

test('the list says what is attached, and detaching says what stays', async () => {
  expect(await dlo(['attach', '--list'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('team_failures: attached 20'),
  });
  expect(await dlo(['detach', 'team_failures'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('with their history, stay'),
  });
  expect(await dlo(['attach', '--list'])).toMatchObject({ output: expect.stringContaining('detached 20') });
  expect(await dlo(['detach', 'team_failures'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('is not attached'),
  });
});
