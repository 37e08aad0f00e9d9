import { ROLES, type Role } from '@/lib/dead-letter/vocabulary';

/** Who asks: written to the history of what they change. */
export interface Actor {
  name: string;
  role: Role;
  /** How they were recognised; tokens and sign-in join this union. */
  by: 'loopback';
}

/** Local mode: the server listens on loopback only, and whoever reaches it is the operator of this machine. */
const LOCAL: Actor = { name: 'operator', role: 'operator', by: 'loopback' };

/** Who sent this request, or null where sign-in is demanded and nobody was recognised. */
export async function actorOf(_request: Request): Promise<Actor | null> {
  return LOCAL;
}

/** Roles are ordered: an admin may do what an operator may, an operator what a viewer may. */
export function mayAct(actor: Actor, role: Role): boolean {
  return ROLES.indexOf(actor.role) >= ROLES.indexOf(role);
}
