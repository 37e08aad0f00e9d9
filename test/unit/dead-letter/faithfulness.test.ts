import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faithfulness, type Rebuild } from '@/lib/dead-letter/faithfulness';
import { compileParamsSchema, ParamsSchemaError } from '@/lib/dead-letter/params-schema';

const schema = {
  type: 'object',
  properties: {
    target_srid: { type: 'integer' },
    method: { enum: ['linear', 'nearest'], default: 'linear' },
    grid: {
      type: 'object',
      properties: { step_m: { type: 'number' } },
      required: ['step_m'],
      additionalProperties: false,
    },
  },
  required: ['target_srid'],
};
const rebuild = (params: unknown, change: Partial<Rebuild> = {}): Rebuild => ({
  manifest: { code_versions: ['v1', 'v2'], params_schema: schema, target: 'pipeline', takes_references: false },
  code_version: 'v1',
  params_text: params === undefined ? null : JSON.stringify(params),
  params_readable: true,
  payload: 'inline',
  targets: ['pipeline'],
  ...change,
});
const reasonOf = (params: unknown, change: Partial<Rebuild> = {}) => {
  const { reason, detail } = faithfulness(rebuild(params, change));
  return [reason, detail];
};

describe('an entry can be rebuilt faithfully', () => {
  test('when its task knows its code version, its params and a target', () => {
    expect(faithfulness(rebuild({ target_srid: 3857 }))).toEqual({ faithful: true, reason: null, detail: null });
  });

  test('not without a manifest', () => {
    expect(reasonOf({ target_srid: 1 }, { manifest: null })[0]).toBe('no_manifest');
  });

  test('not under a code version that the manifest does not list, nor under none', () => {
    expect(reasonOf({ target_srid: 1 }, { code_version: 'v3' })).toEqual([
      'unknown_code_version',
      'the manifest does not list code version v3',
    ]);
    expect(reasonOf({ target_srid: 1 }, { code_version: null })[0]).toBe('unknown_code_version');
  });

  test('not with a param missing, and the param is named; a default is not filled in for it', () => {
    expect(reasonOf({})).toEqual(['missing_param', 'the param target_srid is missing']);
    expect(reasonOf(undefined)).toEqual(['missing_param', 'the param target_srid is missing']);
    expect(reasonOf({ target_srid: 1, grid: {} })).toEqual(['missing_param', 'the param grid.step_m is missing']);
  });

  test('not with a param that the schema does not name, at any depth', () => {
    expect(reasonOf({ target_srid: 1, dpi: 96 })).toEqual(['extra_param', 'the param dpi is not known to the task']);
    expect(reasonOf({ target_srid: 1, grid: { step_m: 1, dpi: 9 } })).toEqual([
      'extra_param',
      'the param grid.dpi is not known to the task',
    ]);
  });

  test('not with a param of another type: nothing is coerced', () => {
    expect(reasonOf({ target_srid: '3857' })).toEqual(['invalid_param', 'the param target_srid must be integer']);
    expect(reasonOf([])).toEqual(['invalid_param', 'the params must be object']);
  });

  test('not with params that are no JSON or cannot be read back', () => {
    expect(reasonOf(null, { params_text: '{"a":' })[0]).toBe('invalid_param');
    expect(reasonOf({ target_srid: 1 }, { params_readable: false })[0]).toBe('invalid_param');
  });

  test('not when its payload is gone or there is nowhere to send it', () => {
    const manifest = { code_versions: ['v1'], params_schema: schema, target: null, takes_references: false };
    expect(reasonOf({ target_srid: 1 }, { payload: 'gone' })[0]).toBe('no_payload');
    expect(reasonOf({ target_srid: 1 }, { payload: 'by_reference' })).toEqual([
      'no_payload',
      expect.stringContaining('takes_references'),
    ]);
    expect(reasonOf({ target_srid: 1 }, { manifest })[0]).toBe('no_target');
    expect(reasonOf({ target_srid: 1 }, { targets: ['other'] })).toEqual([
      'no_target',
      'no target named pipeline is configured (DLO_TARGETS)',
    ]);
  });

  test('names that every object inherits are params like others', () => {
    const inherited = { type: 'object', properties: { toString: {}, a: {} }, required: ['toString'] };
    const manifest = { code_versions: ['v1'], params_schema: inherited, target: 'pipeline', takes_references: false };
    expect(reasonOf({ a: 1 }, { manifest })).toEqual(['missing_param', 'the param toString is missing']);
    expect(reasonOf(undefined, { params_text: '{"target_srid":1,"__proto__":1}' })[0]).toBe('extra_param');
  });
});

describe('faithfulness over any params', () => {
  test('never throws, and answers the same twice', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (params_text) => {
        const asked = rebuild(undefined, { params_text });
        expect(faithfulness(asked)).toEqual(faithfulness(asked));
      }),
    );
  });

  test('a name that the schema does not know is always refused, and named', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !(text in schema.properties));
    fc.assert(
      fc.property(name, fc.jsonValue(), (extra, value) => {
        const params_text = `{"target_srid":1,${JSON.stringify(extra)}:${JSON.stringify(value)}}`;
        const answer = faithfulness(rebuild(undefined, { params_text }));
        expect(answer.reason).toBe('extra_param');
        expect(answer.detail).toContain(extra);
      }),
    );
  });

  test('params nested a hundred thousand deep are refused, not followed', () => {
    const deep = `{"target_srid":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(faithfulness(rebuild(undefined, { params_text: deep })).reason).toBe('invalid_param');
  });
});

describe('a params schema', () => {
  test('is refused where it has a keyword that nobody knows, by its name', () => {
    expect(() => compileParamsSchema({ type: 'object', propertis: {} })).toThrow(/propertis/);
  });

  test('is compiled once, however many rows bring a copy of it', () => {
    expect(compileParamsSchema(structuredClone(schema))).toBe(compileParamsSchema(structuredClone(schema)));
  });

  test('is refused where it is none', () => {
    expect(() => compileParamsSchema({ type: 'parcel' })).toThrow(ParamsSchemaError);
    expect(() => compileParamsSchema({ properties: { a: { $ref: '#/$defs/none' } } })).toThrow(ParamsSchemaError);
  });

  test('may be of draft-07, be composed of parts, and say itself that other params are welcome', () => {
    const old = compileParamsSchema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });
    expect(old({ a: 1 })?.reason).toBe('extra_param');
    const composed = compileParamsSchema({ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] });
    expect(composed({ a: 1, b: 2 })).toBeNull();
    expect(composed({ a: 1, c: 2 })?.reason).toBe('extra_param');
    expect(compileParamsSchema({ additionalProperties: true })({ anything: 1 })).toBeNull();
  });
});
