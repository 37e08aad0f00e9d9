/**
 * What the log may hold of an unforeseen error: its kind, code and stack frames. Query builders put a statement's
 * parameters into their message, PostgreSQL quotes values in its own: both are payload, and neither is written.
 */
export function loggableError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...('code' in error ? { code: String(error.code) } : {}),
    ...(error.cause === undefined ? { message: withoutValues(error.message) } : { cause: loggableError(error.cause) }),
    stack: frames.slice(0, 12).map((line) => line.trim()),
  };
}

function withoutValues(message: string): string {
  return message
    .split('\n', 1)[0]!
    .slice(0, 500)
    .replace(/(["'`“]).*["'`”]/g, '$1…$1')
    .replace(/\d{5,}|\d*\.\d+/g, '#');
}
