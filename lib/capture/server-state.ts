import { Breaker } from './breaker';

/** What this process has learnt of one server. */
export interface ServerState {
  breaker: Breaker;
  /** Large bodies can be too slow for it while captures are not. */
  blob_breaker: Breaker;
  /** False once it refused a packed body. */
  takes_gzip: boolean;
}

const servers = new Map<string, ServerState>();

export function serverState(url: string): ServerState {
  let state = servers.get(url);
  if (!state) {
    state = { breaker: new Breaker(), blob_breaker: new Breaker(), takes_gzip: true };
    servers.set(url, state);
  }
  return state;
}
