import type { ErrorCode } from '../contract/error';

/** What a request ended with instead of an answer: the server's own code, or one of two that only the browser can see. */
export type ApiErrorCode = ErrorCode | 'network' | 'bad_answer';

/** `network`: no answer came (`status` 0). `bad_answer`: an answer that is not of the contract. */
export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    message: string,
    /** HTTP status, 0 when none came. */
    readonly status: number,
    readonly details?: unknown,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Whether the same request can succeed later without being changed. */
  get is_transient(): boolean {
    return ['network', 'database_unavailable', 'timeout', 'request_timeout', 'rate_limited'].includes(this.code);
  }
}
