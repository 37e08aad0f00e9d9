const FORMS: readonly [RegExp, string][] = [
  [/^GP/, 'this is a GeoPackage blob'],
  [/^(\\x)?[0-9a-f]{10,}/i, 'this is hex text, not the bytes it stands for'],
  [/^\s*\{/, 'this is JSON text'],
  [/^\s*(srid\s*=\s*\d+\s*;\s*)?[a-z]{4,}\s*[( ]/i, 'this is text, perhaps WKT'],
];

/** Says what bytes that are no WKB look like, from their first 64 bytes; null where nothing is recognised. */
export function nameOtherForm(bytes: Uint8Array): string | null {
  let head = '';
  for (const byte of bytes.subarray(0, 64)) head += String.fromCharCode(byte);
  return FORMS.find(([pattern]) => pattern.test(head))?.[1] ?? null;
}
