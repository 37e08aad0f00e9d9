import { describe, expect, test } from 'vitest';
import { compileParamsSchema, ParamsSchemaError } from '@/lib/dead-letter/params-schema';

const HOLDS_UP = '^(a+)+$';
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

describe('a params schema takes no regular expression, since one could hold up the whole server', () => {
  test.each([
    ['on a param', object({ a: { type: 'string', pattern: HOLDS_UP } }), '/properties/a/pattern'],
    ['for names of params', { type: 'object', patternProperties: { [HOLDS_UP]: {} } }, '/patternProperties'],
    [
      'in a list’s items',
      object({ a: { type: 'array', items: { type: 'string', pattern: HOLDS_UP } } }),
      '/properties/a/items/pattern',
    ],
    [
      'in an alternative',
      object({ a: { anyOf: [{ type: 'number' }, { type: 'string', pattern: HOLDS_UP }] } }),
      '/properties/a/anyOf/1/pattern',
    ],
    [
      'behind a reference',
      object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string', pattern: HOLDS_UP } } }),
      '/$defs/x/pattern',
    ],
    [
      'on a param that is named like a keyword',
      object({ properties: { type: 'string', pattern: HOLDS_UP } }),
      '/properties/properties/pattern',
    ],
    ['on the names of params', { type: 'object', propertyNames: { pattern: HOLDS_UP } }, '/propertyNames/pattern'],
  ])('%s', (_, schema, place) => {
    expect(() => compileParamsSchema(schema)).toThrow(ParamsSchemaError);
    expect(() => compileParamsSchema(schema)).toThrow(place);
  });

  test('a param may be named pattern, and data may hold the word', () => {
    const check = compileParamsSchema(
      object({ pattern: { type: 'string', enum: ['pattern', 'x'] }, patternProperties: { const: { pattern: 'x' } } }),
    );
    expect(check({ pattern: 'x', patternProperties: { pattern: 'x' } })).toBeNull();
    expect(check({ pattern: 'y' })).toMatchObject({ reason: 'invalid_param' });
  });
});
