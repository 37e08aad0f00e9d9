import { ask, errorOf, lost } from './fetch-json';

/**
 * A binary answer.
 * @param path of the same origin.
 * @throws ApiError with the server's code, or `network`; an aborted request throws its abort reason.
 */
export async function fetchBytes(path: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await ask(path, { signal: signal ?? null, headers: { accept: 'application/octet-stream' } });
  if (!response.ok) throw await errorOf(response, signal);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw lost(error, signal);
  }
}
