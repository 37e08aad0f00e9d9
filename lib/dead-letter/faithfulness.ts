import type { Faithfulness } from '../contract/entry';
import type { Manifest } from '../contract/task';
import { compileParamsSchema, ParamsSchemaError } from './params-schema';
import { INLINE_BLOB_BYTES, type PayloadTransport } from './size-rule';

/** What decides whether an entry can be rebuilt as it was. */
export interface Rebuild {
  /** What the task registered; null where it registered nothing. */
  manifest: Pick<Manifest, 'code_versions' | 'params_schema' | 'target' | 'takes_references'> | null;
  code_version: string | null;
  /** The params as JSON text (see paramsText); null where the capture had none, which counts as an object without members. */
  params_text: string | null;
  /** False where the bytes given as params are no text, so that no JSON can carry them. */
  params_readable: boolean;
  /** Whether its bytes go along with the request, or by reference alone, or are not to be had. */
  payload: PayloadTransport;
  /** Names of the configured targets. */
  targets: readonly string[];
  /** Who edited the payload, and how; null where it is as captured. */
  edited_by?: string | null;
}

const unfaithful = (reason: string, detail: string): Faithfulness => ({ faithful: false, reason, detail });

/**
 * Whether a redrive would run what failed. What is not certain is refused, with a reason and the version, param or
 * target that it is about; nothing is filled in or guessed.
 */
export function faithfulness(rebuild: Rebuild): Faithfulness {
  const { manifest, code_version } = rebuild;
  if (!manifest) return unfaithful('no_manifest', 'its task has registered no manifest (PUT /api/tasks/{task_name})');
  if (code_version === null) return unfaithful('unknown_code_version', 'it was captured without a code version');
  if (!manifest.code_versions.includes(code_version))
    return unfaithful('unknown_code_version', `the manifest does not list code version ${code_version}`);
  const params = readParams(rebuild);
  if (params === undefined)
    return unfaithful('invalid_param', 'its params are not JSON that can be sent as it was given');
  const objection = checkParams(manifest.params_schema, params);
  if (objection) return objection;
  if (rebuild.payload === 'gone')
    return unfaithful('no_payload', 'the bytes that its payload refers to are not in the blob store, or damaged');
  if (rebuild.payload === 'by_reference' && !manifest.takes_references)
    return unfaithful(
      'no_payload',
      `its geometry of over ${INLINE_BLOB_BYTES / 1e6} MB goes by payload_url alone, and the manifest does not say takes_references`,
    );
  if (!manifest.target) return unfaithful('no_target', 'the manifest names no target');
  if (!rebuild.targets.includes(manifest.target))
    return unfaithful('no_target', `no target named ${manifest.target} is configured (DLO_TARGETS)`);
  // an edit is a person's word and no guess: the same code with the same params, and the target is told
  return {
    faithful: true,
    reason: null,
    detail: rebuild.edited_by ? `the payload was edited by ${rebuild.edited_by}` : null,
  };
}

function readParams({ params_text, params_readable }: Rebuild): unknown {
  if (!params_readable) return undefined;
  if (params_text === null) return {};
  try {
    return JSON.parse(params_text);
  } catch {
    return undefined;
  }
}

function checkParams(schema: Record<string, unknown>, params: unknown): Faithfulness | null {
  try {
    const objection = compileParamsSchema(schema)(params);
    return objection && unfaithful(objection.reason, objection.detail);
  } catch (error) {
    if (error instanceof ParamsSchemaError)
      return unfaithful('invalid_param', `the manifest's params schema cannot be used: ${error.message}`);
    // Params nested deeper than the validator can follow: not known to fit, so not sent.
    if (error instanceof RangeError) return unfaithful('invalid_param', 'its params are nested too deeply to check');
    throw error;
  }
}
