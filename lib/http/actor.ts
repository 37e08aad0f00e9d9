import type { Producer } from '@/lib/contract/token';
import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';

/** Who asks: written to the history of what they change. */
export interface Actor {
  name: string;
  role: Role;
  /** How they were recognised; sign-in joins this union. */
  by: 'loopback' | 'token';
  /** Set where a producer's token was shown: it may send captures, blobs and runs, and nothing else. */
  producer: Producer | null;
}

/** Local mode: the server listens on loopback only, and whoever reaches it is the operator of this machine. */
const LOCAL: Actor = { name: 'operator', role: 'operator', by: 'loopback', producer: null };

/** The person who sent this request, or null where nobody was recognised: who shows a token is never the local operator. */
export async function actorOf(request: Request): Promise<Actor | null> {
  return showsToken(request) ? null : LOCAL;
}

/** True for a request with an Authorization header. Basic is what a proxy in front asks of people, and no matter of ours. */
export function showsToken(request: Request): boolean {
  const shown = request.headers.get('authorization');
  return shown !== null && !/^basic(\s|$)/i.test(shown);
}

/** Roles are ordered: an admin may do what an operator may, an operator what a viewer may. */
export function mayAct(actor: Actor, role: Role): boolean {
  return ROLES.indexOf(actor.role) >= ROLES.indexOf(role);
}
