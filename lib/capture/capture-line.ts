import { randomUUID } from 'node:crypto';
import { payloadRef, sha256OfRef } from '../dead-letter/size-rule';
import { classified } from './classify';
import { codeVersion } from './code-version';
import { currentRun } from './current-run';
import { derivedKey } from './derived-key';
import { cutEvidence, type ErrorEvidence, errorEvidence, wholeEvidence } from './error-evidence';
import { type GeometryPart, geometryPart } from './geometry';
import { nameGeometry } from './geometry-member';
import type { LostCapture } from './lost-line';
import type { CaptureOptions } from './options';
import { paramsText } from './params-text';
import { FIELDS, isoTime, isUuid, MEMBERS, textTo } from './payload-fields';
import { payloadMembers } from './payload-members';
import { warnOfMembers, warnOfPayload, warnOfRedaction } from './payload-warnings';
import { redacted } from './redact';

/** One capture as it is sent: `line` is JSON without a line break, and names its own `capture_id`. */
export interface CaptureLine {
  capture_id: string;
  line: string;
}

/** One capture taken apart, so that a geometry over the size rule can go another way than its line. */
export interface CaptureParts {
  capture_id: string;
  work_key: string;
  /** Every member but the geometry and `payload_ref`, as JSON without its braces. */
  members: string;
  geometry: GeometryPart | null;
  /** As the payload gave it, for bytes that lie in the blob store already. */
  payload_ref: string | null;
  /** What it is called should it be lost. */
  lost: LostCapture;
}

/**
 * The capture of one failure. Total: any payload gives its parts, and whatever could not be written as it is has its
 * name in params (`$replaced`: JSON Pointer → what it was; `$unfit`: members that no field of the contract can hold).
 * A payload without a work_key gets one derived from its content, so that the same failure meets the same entry.
 */
export function captureParts(
  error: unknown,
  payload: unknown,
  options: CaptureOptions,
  taskName: string,
): CaptureParts {
  const { members, unreadable, failed } = payloadMembers(payload, options.redact !== undefined);
  if (failed) warnOfPayload(failed, { task_name: taskName, warn: options.warn });
  if (!options.redact)
    return partsOf(error, { members, unreadable, evidence: errorEvidence(error) }, options, taskName);
  const answer = redacted(members, wholeEvidence(error), options.redact, error);
  if ('members' in answer) {
    const evidence = cutEvidence(answer.evidence);
    return partsOf(error, { members: answer.members, unreadable, evidence }, options, taskName);
  }
  warnOfRedaction(answer.failed, { task_name: taskName, warn: options.warn });
  return unredactedParts(error, members, answer.failed, options, taskName);
}

/** The capture's text. Given the hash of a blob, the text names that and the blob's format instead of the geometry. */
export function captureText(parts: CaptureParts, blob_sha256?: string): string {
  const { geometry } = parts;
  let last = '';
  if (geometry && blob_sha256) {
    last = `,"payload_ref":"${payloadRef(blob_sha256)}","geom_format":"${geometry.geom_format}"`;
  } else if (geometry) {
    last = `,"geom_${geometry.geom_format}":${geometry.json()}`;
  } else if (parts.payload_ref) {
    last = `,"payload_ref":"${parts.payload_ref}"`;
  }
  return `{${parts.members}${last}}`;
}

export function captureLine(error: unknown, payload: unknown, options: CaptureOptions, taskName: string): CaptureLine {
  const parts = captureParts(error, payload, options, taskName);
  return { capture_id: parts.capture_id, line: captureText(parts) };
}

interface Given {
  members: Record<string, unknown>;
  unreadable: Record<string, string>;
  evidence: ErrorEvidence;
}

function partsOf(error: unknown, given: Given, options: CaptureOptions, taskName: string): CaptureParts {
  const { members: payload, evidence } = given;
  nameGeometry(payload);
  const unfit: Record<string, unknown> = Object.assign(Object.create(null), given.unreadable);
  const capture_id = captureId(options.capture_id);
  const run = currentRun();
  const claimed = payload.failure_class;
  const defaults = {
    ...classified(error, typeof claimed === 'string' && claimed !== '' ? () => claimed : options.classify),
    queue: options.queue,
    run_id: options.run_id ?? run?.run_id,
    code_version: codeVersion(options.code_version),
    failed_at: failedAt(options.now),
  };
  const members = [`"capture_id":"${capture_id}"`];
  for (const [name, fieldText] of FIELDS) {
    const value = payload[name];
    const none = value === undefined || value === null || value === '';
    const written = none ? undefined : tried(() => fieldText(value));
    if (!none && written === undefined) unfit[name] = value;
    const json = written ?? fieldText(defaults[name as keyof typeof defaults]);
    if (json !== undefined) members.push(`"${name}":${json}`);
  }
  const unknown = Object.keys(payload).filter((name) => !MEMBERS.has(name));
  for (const name of unknown) unfit[name] = payload[name];
  const task = [payload.task_name, taskName].map(textTo(500)).find((name) => name !== undefined);
  const task_name = task ?? '"anonymous"';
  members.push(`"task_name":${task_name}`);

  const geometry = tried(() => geometryPart(payload.geometry)) ?? null;
  if (geometry === null && payload.geometry !== undefined && payload.geometry !== null) unfit.geometry = 'unreadable';
  const payload_ref = referenceOf(payload.payload_ref, geometry, unfit);
  warnOfMembers(unknown, geometry !== null, { task_name: taskName, warn: options.warn });

  const params = paramsText(payload.params, geometry?.replaced, unfit);
  if (params !== undefined) members.push(`"params":${params}`);
  for (const [name, value] of Object.entries(evidence)) members.push(`"${name}":${JSON.stringify(value)}`);
  const key = keyText(payload.work_key);
  const work_key = textTo(2000)(key) ?? JSON.stringify(derivedKey(taskName, geometry, params, key));
  members.push(`"work_key":${work_key}`);
  if (run?.run_id === (payload.run_id || defaults.run_id)) run?.dead_lettered.add(work_key);
  const lost = {
    task_name: JSON.parse(task_name),
    work_key: JSON.parse(work_key),
    error_type: evidence.error_type,
    error_text: evidence.error_text,
  };
  return { capture_id, work_key: lost.work_key, members: members.join(','), geometry, payload_ref, lost };
}

/** A redaction that failed: what names the unit of work and the failure, and no word of the payload or of the error. */
function unredactedParts(
  error: unknown,
  payload: Record<string, unknown>,
  failed: string,
  options: CaptureOptions,
  taskName: string,
): CaptureParts {
  const capture_id = captureId(options.capture_id);
  const fitting = (value: unknown, most: number) => (textTo(most)(value) === undefined ? undefined : value);
  const members = {
    // not one derived from the content: from a hash of it, it could be guessed
    work_key:
      fitting(keyText(payload.work_key), 2000) ?? `${taskName.slice(0, 500) || 'anonymous'}/unkeyed/${capture_id}`,
    task_name: fitting(payload.task_name, 500),
    queue: fitting(payload.queue, 200),
    failure_class: fitting(payload.failure_class, 200),
    params: { $redaction_failed: failed },
  };
  const evidence = { error_type: errorEvidence(error).error_type, error_text: '', traceback: '' };
  return partsOf(error, { members, unreadable: {}, evidence }, { ...options, capture_id: () => capture_id }, taskName);
}

function referenceOf(given: unknown, geometry: GeometryPart | null, unfit: Record<string, unknown>): string | null {
  if (given === undefined || given === null || given === '') return null;
  const known = typeof given === 'string' && sha256OfRef(given) !== null;
  // beside a geometry it would leave open which of the two is meant, and the server refuses that
  if (known && geometry === null) return given;
  unfit.payload_ref = given;
  return null;
}

function captureId(given: CaptureOptions['capture_id']): string {
  const id = tried(() => given?.());
  return isUuid(id) ? id : randomUUID();
}

function failedAt(now: (() => Date) | undefined): string {
  // a clock that fails is no reason to lose a capture
  return tried(() => now && isoTime(now())) ?? new Date().toISOString();
}

function keyText(key: unknown): unknown {
  return typeof key === 'number' || typeof key === 'bigint' ? String(key) : key;
}

function tried<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
