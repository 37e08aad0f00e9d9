import type { StoredToken } from '@/db/queries/get-token';

/** A revocation takes effect within this. */
export const TOKEN_CACHE_MS = 10_000;

/** More ids than this within ten seconds are guesses, and push each other out. */
const MAX_CACHED = 1_000;

/** Remembers for ten seconds what is stored under a token's id, so that a request costs no round trip for its token. */
export class TokenCache {
  private readonly known = new Map<string, { at: number; token: Promise<StoredToken | undefined> }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** What is stored under the id, or nothing; requests that come at once load it once. */
  get(id: string, load: (id: string) => Promise<StoredToken | undefined>): Promise<StoredToken | undefined> {
    const at = this.now();
    const known = this.known.get(id);
    if (known && at - known.at < TOKEN_CACHE_MS) return known.token;
    const token = load(id);
    // What could not be asked is asked again.
    token.catch(() => this.forget(id));
    this.known.delete(id);
    this.known.set(id, { at, token });
    if (this.known.size > MAX_CACHED) this.known.delete(this.known.keys().next().value as string);
    return token;
  }

  forget(id: string): void {
    this.known.delete(id);
  }
}
