/** The client for pipelines: no database, no framework. Published as `dead-letter-office/capture`. */
export { type BatchOptions, type CaptureBatch, captureBatch } from './batch';
export { capture, flush } from './capture';
export { type Classify, classify } from './classify';
export { CLASSIFY_RULES, type ClassifyRule } from './classify-rules';
export { type DeadLetterOptions, deadLetterOnFailure } from './dead-letter-on-failure';
export type { Kept } from './deliver';
export type { GeometryInput } from './geometry';
export type { CaptureOptions, CapturePayload, CaptureResult } from './options';
export { type JsonText, jsonText } from './params-json';
export type { Redact, Redactable } from './redact';
export { openSpool, type Spool, type SpoolOptions } from './spool';
export { type Run, type RunOptions, withRun } from './with-run';
