import { z } from 'zod';

/** Every error the product reports, by a closed set of codes; lib/http holds the one map from code to status. */
export const ERROR_CODES = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'request_timeout',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'unprocessable',
  'rate_limited',
  'database_unavailable',
  'storage_unavailable',
  'timeout',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const errorSchema = z.object({
  error: z.object({ code: z.enum(ERROR_CODES), message: z.string(), details: z.unknown().optional() }),
});
export type ErrorBody = z.infer<typeof errorSchema>;

/** The one error that verbs throw on purpose: the message names the entry, the value and the next step. */
export class DlqError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
  ) {
    super(message);
    this.name = 'DlqError';
  }
}
