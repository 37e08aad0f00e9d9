import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '@/db/demo/receiver';
import { openSources, type Sources } from '@/db/demo/sources/open-sources';
import { type RedriveRequest, redriveAnswerSchema } from '@/lib/contract/task';
import { sha256Of } from '@/test/support/sha256-of';
import { type CaptureSink, captureSink } from '../unit/capture/capture-sink';
import { type Captured, captureNights, workOfCapture } from './demo-night';

// These run real libraries, children and servers; a busy machine is no reason to call them failed.
vi.setConfig({ testTimeout: 60_000 });

const secret = 'between the two of us';

let sources: Sources;
let sink: CaptureSink;
let receiver: Receiver;
let captures: Captured[];
beforeAll(async () => {
  sources = await openSources();
  sink = await captureSink();
  captures = await captureNights([67, 83], sources, sink);
  receiver = await startReceiver({ port: 0, base_url: sink.url, secret });
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await sink.close();
  await sources.close();
});

function redriveOf(one: Captured): RedriveRequest {
  return {
    ...workOfCapture(one),
    attempt_id: randomUUID(),
    entry_id: '1',
    idempotency_key: one.work_key,
    queue: 'production',
    task_id: null,
    code_version: String(one.code_version),
    geom_given: null,
    geom_format: null,
    tile_matrix_set: null,
    payload_ref: null,
    payload_url: null,
    payload_hash: sha256Of(JSON.stringify(one)),
    edited_by: null,
  };
}

async function send(request: RedriveRequest, headers: Record<string, string> = {}) {
  const body = JSON.stringify(request);
  const response = await fetch(receiver.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': request.idempotency_key,
      'dlo-signature': createHmac('sha256', secret).update(body).digest('hex'),
      ...headers,
    },
    body,
  });
  return { status: response.status, answer: redriveAnswerSchema.parse(await response.json()) };
}

/** A capture of the nights above whose error and params are these. */
function captured(text: string, params: Record<string, unknown> = {}): Captured {
  const found = captures.find(
    (one) =>
      String(one.error_text).includes(text) &&
      Object.entries(params).every(([name, value]) => (one.params as Record<string, unknown>)[name] === value),
  );
  if (!found) throw new Error(`no capture says ${text}`);
  return found;
}

describe('the receiver of the demo’s redrives', () => {
  test.each([
    ['feet that were read as metres, where the layer says feet', 'of EPSG:32122', { layer_unit: 'us-ft' }],
    ['axes that the service swaps', 'miss tile', { axis_order: 'yx' }],
    ['a deprecated code, by its replacement', 'Could not parse to valid json: EPSG:2659', {}],
    ['an upstream that is well again', 'answered 503', {}],
  ])('the newest release gets through: %s', async (_, text, params) => {
    expect(await send(redriveOf(captured(text, params)))).toEqual({ status: 200, answer: { outcome: 'succeeded' } });
  });

  test.each([
    ['feet without a unit in the layer', 'of EPSG:32122', { layer_unit: null }],
    ['a ring over the antimeridian', 'non-noded', { layer: 'admin0' }],
    ['a vertex that is no number', 'coordinates must be finite', {}],
    ['a target of another continent', 'gave bounds Infinity', {}],
  ])('it fails again and is captured as the failure of that redrive: %s', async (_, text, params) => {
    const first = captured(text, params);
    const request = redriveOf(first);
    const before = sink.captures.length;
    const { status, answer } = await send(request);
    expect({ status, outcome: answer.outcome }).toEqual({ status: 200, outcome: 'failed' });
    expect(answer.message).toContain(String(first.error_text).slice(0, 20));
    expect(sink.captures.slice(before)).toHaveLength(1);
    expect(sink.captures.at(-1)).toMatchObject({
      work_key: first.work_key,
      attempt_id: request.attempt_id,
      code_version: '2.14.1',
      task_name: first.task_name,
      failure_class: first.failure_class,
      params: first.params,
      geom_wkb: first.geom_wkb,
    });
  });

  test('a repeated attempt gets the first answer and is not run again; the next attempt is run', async () => {
    const request = redriveOf(captured('of EPSG:32122', { layer_unit: null }));
    const before = sink.captures.length;
    const [first, second] = await Promise.all([send(request), send(request)]);
    expect(second).toEqual(first);
    expect(await send(request)).toEqual(first);
    expect(sink.captures.length - before).toBe(1);
    await send({ ...request, attempt_id: randomUUID() });
    expect(sink.captures.length - before).toBe(2);
  });

  test('without its signature, or under another key, nothing is run', async () => {
    const request = redriveOf(captured('of EPSG:32122', { layer_unit: null }));
    const before = sink.captures.length;
    expect((await send(request, { 'dlo-signature': '00ff' })).status).toBe(401);
    expect((await send(request, { 'idempotency-key': 'another' })).status).toBe(400);
    expect(sink.captures.length).toBe(before);
  });

  test('a task that this pipeline does not have fails with a message', async () => {
    const { answer } = await send({ ...redriveOf(captured('of EPSG:32122')), task_name: 'warp' });
    expect(answer).toEqual({ outcome: 'failed', message: 'RangeError: this pipeline has no task warp' });
  });
});
