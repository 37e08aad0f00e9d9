import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { classify } from '@/lib/capture/classify';
import { cloneDatabase, type TestDatabase } from '@/test/support/database';
import { captureByPython } from '@/test/support/python/run-python';
import { CLASSIFY_SAMPLES, errorOf, UNKNOWN_SAMPLES } from '../fixtures/classify-samples';

/** What an error's type and text alone come to: the database and a line without a class have nothing else. */
const SAMPLES = [...CLASSIFY_SAMPLES, ...UNKNOWN_SAMPLES].map(({ name = 'Error', message = '' }) => ({
  name,
  message,
  failure_class: classify(errorOf({ failure_class: 'unknown', name, message })),
}));

/** As SQL writers store an error: type and text in one column. */
const IN_ONE_TEXT = SAMPLES.filter(({ message }) => message !== '');

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

async function bySql(given: readonly { name: string | null; message: string }[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ failure_class: string }>(
    'select dlq.classify(error_type, error_text) as failure_class from unnest($1::text[], $2::text[]) with ordinality x (error_type, error_text, n) order by n',
    [given.map(({ name }) => name), given.map(({ message }) => message)],
  );
  return rows.map(({ failure_class }) => failure_class);
}

/** The samples that got another class than they should have, in few characters. */
const differing = (
  samples: readonly { name: string | null; message: string; failure_class: string }[],
  found: readonly unknown[],
) =>
  samples
    .map(({ name, message, failure_class }, i) => ({
      error: `${name}: ${message.slice(0, 100)}`,
      failure_class,
      found: found[i],
    }))
    .filter((one) => one.found !== one.failure_class);

describe('an error by its type and text', () => {
  test('is what the samples say wherever they need no code, status or flag', () => {
    const hidden = CLASSIFY_SAMPLES.filter(
      ({ failure_class: _, name: _name, message: _message, ...members }) => Object.keys(members).length === 0,
    );
    const said = hidden.map(({ name = 'Error', message = '' }) =>
      classify(errorOf({ failure_class: 'unknown', name, message })),
    );
    expect(said).toEqual(hidden.map(({ failure_class }) => failure_class));
    expect(hidden.length).toBeGreaterThan(80);
  });

  test('is classified by the database as by the client, known or not', async () => {
    expect(differing(SAMPLES, await bySql(SAMPLES))).toEqual([]);
  });

  test('is classified by the database as by the client also where any type meets any text', async () => {
    const names = [...new Set(SAMPLES.map(({ name }) => name))];
    const messages = [...new Set(SAMPLES.map(({ message }) => message))];
    const crossed = names.flatMap((name) =>
      messages.map((message) => ({
        name,
        message,
        failure_class: classify(errorOf({ failure_class: 'unknown', name, message })),
      })),
    );
    expect(differing(crossed, await bySql(crossed))).toEqual([]);
  });

  test('without a type is classified by the database as by the client', async () => {
    const untyped = IN_ONE_TEXT.map(({ message }) => ({
      name: null,
      message,
      failure_class: classify(new Error(message)),
    }));
    expect(differing(untyped, await bySql(untyped))).toEqual([]);
  });

  test('is classified by the Python client as by the client, known or not', async () => {
    const found = await captureByPython(SAMPLES.map(({ name, message }) => ({ classify: { name, message } })));
    expect(differing(SAMPLES, found)).toEqual([]);
  });

  test('is read at both ends of a long text, by all three alike', async () => {
    const filler = 'nothing to see here. '.repeat(500);
    const long = [
      `Self-intersection ${filler}`,
      `${filler} Self-intersection`,
      `${filler} Self-intersection ${filler}`,
    ].map((message, i) => ({ name: 'Error', message, failure_class: i === 2 ? 'unknown' : 'invalid_geometry' }));
    expect(
      differing(
        long,
        long.map(({ message }) => classify(new Error(message))),
      ),
    ).toEqual([]);
    expect(differing(long, await bySql(long))).toEqual([]);
    expect(
      differing(long, await captureByPython(long.map(({ name, message }) => ({ classify: { name, message } })))),
    ).toEqual([]);
  });
});
