/** The SQLSTATE of a database error, under whatever wraps it; '' for other errors. */
export function sqlStateOf(error: unknown): string {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++)
    if ('code' in one && typeof one.code === 'string' && /^[0-9A-Z]{5}$/.test(one.code)) return one.code;
  return '';
}
