import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import draft7 from 'ajv/dist/refs/json-schema-draft-07.json';

/** A params schema that cannot be used; the message names the keyword or place. */
export class ParamsSchemaError extends Error {
  override name = 'ParamsSchemaError';
}

/** What the schema says about params: null, or the first objection with the param it is about. */
export type ParamsCheck = (
  params: unknown,
) => { reason: 'missing_param' | 'extra_param' | 'invalid_param'; detail: string } | null;

/** By the schema's text: every row of a batch brings its own copy, and a compilation costs 10 to 20 ms. */
const compiled = new Map<string, ParamsCheck>();
const MAX_COMPILED = 200;

/**
 * Compiles a JSON Schema (2020-12; draft-07 is read too) of a task's params. Nothing is filled in, coerced or
 * removed: a value either fits as it was captured or it does not. Unknown keywords are refused, and so are params that the
 * schema does not name, unless it says itself what becomes of them.
 * @throws ParamsSchemaError
 */
export function compileParamsSchema(schema: Record<string, unknown>): ParamsCheck {
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? checkOf(compile(schema));
  // taken out and put back: the map is in the order of last use, and the oldest one goes
  compiled.delete(text);
  compiled.set(text, check);
  const oldest = compiled.keys().next();
  if (compiled.size > MAX_COMPILED && !oldest.done) compiled.delete(oldest.value);
  return check;
}

/** Keywords whose value would run as a regular expression in this process: 30 characters can hold it up for minutes. */
const EXPRESSIONS = ['pattern', 'patternProperties'];
/** Keywords that hold schemas by name: the names are the params' own, whatever they are. */
const BY_NAME = ['properties', '$defs', 'definitions', 'dependentSchemas'];
/** Keywords that hold data, not schemas. */
const DATA = ['const', 'enum', 'default', 'examples', 'required'];

/** @throws ParamsSchemaError naming the place of a regular expression. */
function refuseExpressions(schema: unknown, path = ''): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, part] of Object.entries(schema)) {
    const place = `${path}/${keyword}`;
    if (!Array.isArray(schema) && EXPRESSIONS.includes(keyword))
      throw new ParamsSchemaError(`${place}: regular expressions are not taken here; use enum, const or minLength`);
    if (!Array.isArray(schema) && DATA.includes(keyword)) continue;
    if (!Array.isArray(schema) && BY_NAME.includes(keyword) && typeof part === 'object' && part !== null)
      for (const [name, of_name] of Object.entries(part)) refuseExpressions(of_name, `${place}/${name}`);
    else refuseExpressions(part, place);
  }
}

function compile(schema: Record<string, unknown>): ValidateFunction {
  refuseExpressions(schema);
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    useDefaults: false,
    coerceTypes: false,
    removeAdditional: false,
    ownProperties: true,
    validateFormats: false,
    logger: false,
  });
  ajv.addMetaSchema(draft7);
  const closed = 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
  try {
    return ajv.compile(closed ? schema : { ...schema, unevaluatedProperties: false });
  } catch (error) {
    throw new ParamsSchemaError(error instanceof Error ? error.message : String(error));
  }
}

const checkOf =
  (validate: ValidateFunction): ParamsCheck =>
  (params) => {
    if (validate(params)) return null;
    const errors = validate.errors ?? [];
    // The first objection is the deepest cause; a combinator's own ("must match a schema in anyOf") comes last.
    const error = errors[0];
    return error ? objection(error) : { reason: 'invalid_param', detail: 'the params do not fit the schema' };
  };

function objection(error: ErrorObject): NonNullable<ReturnType<ParamsCheck>> {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = (last: unknown) => [...path, String(last)].join('.');
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params;
  if (error.keyword === 'required' || error.keyword === 'dependentRequired')
    return { reason: 'missing_param', detail: `the param ${named(missingProperty)} is missing` };
  const extra = additionalProperty ?? unevaluatedProperty;
  if (extra !== undefined)
    return { reason: 'extra_param', detail: `the param ${named(extra)} is not known to the task` };
  const what = path.length === 0 ? 'the params' : `the param ${path.join('.')}`;
  return { reason: 'invalid_param', detail: `${what} ${error.message ?? 'does not fit'}` };
}
