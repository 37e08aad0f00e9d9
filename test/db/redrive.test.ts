import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { DlqError } from '@/lib/contract/error';
import { decideInDoubt } from '@/lib/redrive/decide-in-doubt';
import { recordOutcome } from '@/lib/redrive/record-outcome';
import { actor, db, pipeline, redrive, redriveOne, register } from './redrive/harness';
import { answer, type Behaviour } from './redrive/target';
import { failAgain, seenNow, statesOf } from './state-machine/entries';

describe('a redrive', () => {
  test('that succeeds resolves the entry as fixed, and its history says who, why and what', async () => {
    const { unit, state, sends } = await redriveOne(answer(200, { outcome: 'succeeded', message: 'done' }));
    expect(state).toMatchObject({ state: 'resolved', resolution: 'fixed', outcomes: ['succeeded'] });
    expect(sends).toHaveLength(1);
    const { rows } = await db.execute(
      sql`select from_state, to_state, actor, reason from dlq.event where entry_id = ${unit.id} order by id`,
    );
    expect(rows).toEqual([
      { from_state: null, to_state: 'open', actor: 'capture:sql', reason: 'captured' },
      { from_state: 'open', to_state: 'redriving', actor: 'Ada', reason: 'new version' },
      { from_state: 'redriving', to_state: 'redriving', actor: 'Ada', reason: 'about to be sent' },
      { from_state: 'redriving', to_state: 'resolved', actor: 'Ada', reason: 'the target says it succeeded' },
    ]);
  });

  test('carries the key, the attempt, a signature over its bytes and the exact payload', async () => {
    await register('exact', { code_versions: ['v7'], params_schema: { additionalProperties: true } });
    const capture = (key: string, params: string) => sql`
      select c.entry_id::text as id from dlq.capture(jsonb_build_object('work_key', ${key}::text, 'task_name', 'exact', 'code_version', 'v7',
        'srid', 4326, 'src_crs', 'EPSG:4326', 'source_uris', jsonb_build_array('s3://a/b.tif'), 'params_text', ${params}::text,
        'source_window', '{"col_off": 0.1, "row_off": 12345678901234567890, "width": 1, "height": 1}'::jsonb),
        decode('0101000000000000000000f87f000000000000f87f', 'hex')) c`;
    // jsonb refuses the first for \u0000; the second it holds, with all its digits
    for (const [key, params] of [
      ['clé nº 1', '{"text":"\\u0000","big":1e400}'],
      ['key 2', '{"big": 123456789012345678901234567890.5}'],
    ] as const) {
      const { rows } = await db.execute<{ id: string }>(capture(key, params));
      expect(await redrive([{ id: rows[0]!.id, work_key: key, task_name: 'exact' }])).toMatchObject([
        { outcome: 'succeeded' },
      ]);
      const [sent] = pipeline.of(key);
      expect(sent!.signed).toBe(true);
      expect(Buffer.from(String(sent!.headers['idempotency-key']), 'latin1').toString('utf8')).toBe(key);
      expect(sent!.headers['dlo-attempt-id']).toBe(sent!.redrive.attempt_id);
      expect(sent!.redrive).toMatchObject({
        idempotency_key: key,
        geom_wkb: '0101000000000000000000f87f000000000000f87f',
        src_crs: 'EPSG:4326',
        source_uris: ['s3://a/b.tif'],
      });
      expect(sent!.text).toContain(`"params":${params}`);
      expect(sent!.text).toContain('12345678901234567890');
    }
  });

  test('that is accepted waits for its outcome, and a late success fixes it', async () => {
    for (const behaviour of [
      answer(202, { outcome: 'failed' }),
      answer(200, 'OK'),
      answer(200, { outcome: 'accepted' }),
    ]) {
      const { unit, state, result } = await redriveOne(behaviour);
      expect(state).toMatchObject({ state: 'redriven', outcomes: [null] });
      const told = { entry_id: unit.id, attempt_id: result.attempt_id!, outcome: 'succeeded' as const };
      expect(await recordOutcome({ db, actor }, told)).toMatchObject({ applied: true, resolution: 'fixed' });
      expect(await recordOutcome({ db, actor }, told)).toMatchObject({ applied: false, resolution: 'fixed' });
      await expect(recordOutcome({ db, actor }, { ...told, outcome: 'failed' })).rejects.toMatchObject({
        code: 'conflict',
      });
    }
  });

  test('that fails again and is captured again is open with attempts raised', async () => {
    const { state } = await redriveOne(async (response, { redrive: { work_key, attempt_id, task_name, entry_id } }) => {
      await failAgain(db, { id: entry_id, work_key, task_name }, { attempt_id });
      answer(200, { outcome: 'failed' })(response, {} as never);
    });
    expect(state).toMatchObject({ state: 'open', attempts: 2, redrive_attempts: 1, outcomes: ['refailed'] });
  });

  test('that fails again and says only so is open too', async () => {
    const { state } = await redriveOne(answer(200, { outcome: 'failed', message: 'still broken' }));
    expect(state).toMatchObject({ state: 'open', attempts: 1, outcomes: ['refailed'] });
  });

  test('that is refused is open again with the target’s words, and abandoned at the cap, under one key', async () => {
    const { unit, result } = await redriveOne(answer(422, { outcome: 'rejected', message: 'no such tile set' }));
    expect(result).toMatchObject({ outcome: 'rejected', detail: 'HTTP 422: no such tile set' });
    await redrive([unit]);
    await redrive([unit]);
    expect((await statesOf(db, [unit]))[0]).toMatchObject({
      state: 'resolved',
      resolution: 'abandoned',
      resolution_reason: 'rejected at the cap of 3 redrives',
      redrive_total: 3,
    });
    const sends = pipeline.of(unit.work_key);
    expect(new Set(sends.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([unit.work_key]));
    expect(new Set(sends.map(({ redrive: { attempt_id } }) => attempt_id)).size).toBe(3);
    expect(await redrive([unit])).toMatchObject([{ outcome: null, reason: 'resolved' }]);
  });

  test('that is redirected is refused and not followed', async () => {
    const { state, result, sends } = await redriveOne((response) =>
      response.writeHead(307, { location: '/redrive' }).end(),
    );
    expect([state.state, result.outcome, sends.length]).toEqual(['open', 'rejected', 1]);
  });

  test.each<[string, Behaviour]>([
    ['times out', () => {}],
    ['is cut off', (response) => response.destroy()],
    ['ends in a 500', answer(500, 'oops')],
    ['ends in a 503', answer(503, '')],
  ])('that %s is in doubt: it may have run, and is not sent again', async (_name, behaviour) => {
    const { unit, state, sends } = await redriveOne(behaviour, { timeout_ms: 300 });
    expect(state).toMatchObject({ state: 'in_doubt', redrive_total: 1, outcomes: [null] });
    expect(await redrive([unit])).toMatchObject([{ outcome: null, reason: 'in_doubt' }]);
    expect(sends).toHaveLength(1);
  });

  test('that timed out and then succeeded is fixed', async () => {
    const { unit, result } = await redriveOne(() => {}, { timeout_ms: 200 });
    const told = { entry_id: unit.id, attempt_id: result.attempt_id!, outcome: 'succeeded' as const };
    expect(await recordOutcome({ db, actor }, told)).toEqual({ applied: true, state: 'resolved', resolution: 'fixed' });
  });

  test('in doubt is sent again under the same key where the target does not run one key twice', async () => {
    const { unit } = await redriveOne(() => {}, { timeout_ms: 200 }, 'idempotent');
    pipeline.behaviours.delete(unit.work_key);
    expect(await redrive([unit])).toMatchObject([{ outcome: 'succeeded' }]);
    expect((await statesOf(db, [unit]))[0]).toMatchObject({ resolution: 'fixed', outcomes: ['unknown', 'succeeded'] });
    expect(new Set(pipeline.of(unit.work_key).map(({ redrive: { idempotency_key } }) => idempotency_key)).size).toBe(1);
  });

  test('in doubt is decided by a person: it happened, or it did not', async () => {
    const both = [await redriveOne(() => {}, { timeout_ms: 200 }), await redriveOne(() => {}, { timeout_ms: 200 })];
    for (const [index, decision] of (['happened', 'did_not'] as const).entries()) {
      const [seen] = await seenNow(db, [both[index]!.unit]);
      const input = { ...seen!, decision, reason: 'looked at the output' };
      const decided = await decideInDoubt({ db, actor }, input);
      expect(decided.state).toBe(decision === 'happened' ? 'resolved' : 'open');
      const refused: DlqError = (await decideInDoubt({ db, actor }, input).catch(
        (error: DlqError) => error,
      )) as DlqError;
      expect([refused.code, refused.message]).toEqual(['conflict', expect.stringContaining('by Ada')]);
    }
  });
});
