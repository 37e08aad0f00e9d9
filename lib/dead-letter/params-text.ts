const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The params of a payload as JSON text: jsonb's own text, or, where jsonb could not hold them, the bytes as they were
 * given. `params_readable` is false where those bytes are no UTF-8 text; `params_text` then shows them as far as it goes.
 */
export function paramsText(
  jsonb_text: string | null,
  raw: Uint8Array | null,
): { params_text: string | null; params_readable: boolean } {
  if (!raw) return { params_text: jsonb_text, params_readable: true };
  try {
    return { params_text: utf8.decode(raw), params_readable: true };
  } catch {
    return { params_text: new TextDecoder().decode(raw), params_readable: false };
  }
}
