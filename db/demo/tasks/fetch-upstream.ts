import { UpstreamError } from '../pipeline-errors';
import type { Sources } from '../sources/open-sources';
import { atLeast } from '../versions';
import type { Work } from '../work';

/** Fetches the elevation range of a tile. 2.14.1 asks a second time where the first try got no answer. */
export async function fetchUpstream(work: Work, version: string, sources: Sources): Promise<unknown> {
  const tries = atLeast(version, '2.14.1') ? 2 : 1;
  const url = sources.resolve(work.source_uris?.[0] ?? '');
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await once(url, sources.deadlineMs(Number(work.params.timeout_ms)));
    } catch (error) {
      if (left === 0 || error instanceof SyntaxError) throw error;
    }
  }
}

async function once(url: string, deadlineMs: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) });
  if (!response.ok) throw new UpstreamError(`elevation service answered ${response.status} ${await response.text()}`);
  return response.json();
}
