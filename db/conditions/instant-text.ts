/**
 * An ISO 8601 instant as PostgreSQL takes it: in UTC, microseconds kept (a `Date` alone would cut them), what is before
 * year 1 or after 9999 as an infinity. PostgreSQL itself refuses year 0 and offsets of 16 hours and more.
 */
export function instantText(iso: string): string {
  const fraction = /\.(\d+)/.exec(iso)?.[1] ?? '';
  const at = new Date(iso.replace(/\.\d+/, ''));
  const year = at.getUTCFullYear();
  if (year < 1) return '-infinity';
  if (year > 9999) return 'infinity';
  return at.toISOString().replace(/\.\d+Z$/, `.${fraction.slice(0, 6).padEnd(6, '0')}Z`);
}
