/**
 * The object store did not do what it was asked. `status` is null where no answer came; `may_help_to_wait` is true
 * where the same request may succeed later.
 */
export class ObjectStoreError extends Error {
  override name = 'ObjectStoreError';

  constructor(
    message: string,
    readonly status: number | null,
    /** The store's own code (`NoSuchBucket`) or the system's (`ECONNREFUSED`). */
    readonly code: string,
    readonly may_help_to_wait: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const NEXT_STEP: Record<string, string> = {
  NoSuchBucket: 'make the bucket, or correct its name',
  AccessDenied: 'give these keys GetObject, PutObject, DeleteObject and ListBucket on the prefix',
  InvalidAccessKeyId: 'check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'check AWS_SECRET_ACCESS_KEY and AWS_REGION',
  ExpiredToken: 'renew AWS_SESSION_TOKEN',
  RequestTimeTooSkewed: 'set the clock of this machine',
  PermanentRedirect: 'set AWS_REGION to the region of the bucket',
  AuthorizationHeaderMalformed: 'set AWS_REGION to the region of the bucket',
};

/** The error that an answer tells. @param what the request in words: `PUT spool/a.ndjson` */
export function errorOfAnswer(what: string, status: number, body: string): ObjectStoreError {
  const code = /<Code>([^<]{1,100})<\/Code>/.exec(body)?.[1] ?? `HTTP ${status}`;
  const next = NEXT_STEP[code];
  const waits = status >= 500 || status === 429 || status === 408 || code === 'SlowDown' || code === 'RequestTimeout';
  return new ObjectStoreError(
    `the object store refused ${what}: ${code} (${status})${next ? `; ${next}` : ''}`,
    status,
    code,
    waits,
  );
}

/** The error of a request that got no whole answer. An abort by the caller is passed on as it is. */
export function errorOfFailure(what: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof ObjectStoreError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
  return new ObjectStoreError(`the object store did not answer ${what}: ${code}`, null, code, true, { cause: error });
}
