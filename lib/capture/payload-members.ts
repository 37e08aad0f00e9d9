/**
 * The payload's members, each read once, or made by the function that makes it. Total: what cannot be read is named
 * under `unreadable`, and the rest is kept. A payload that is no object stands under `payload`.
 */
export interface PayloadMembers {
  members: Record<string, unknown>;
  unreadable: Record<string, string>;
  /** Why there is no payload, in words that quote nothing of it. */
  failed?: string;
}

/** @param quiet True: the reasons why something is unreadable, which may quote the payload, are left out. */
export function payloadMembers(payload: unknown, quiet: boolean): PayloadMembers {
  const members: Record<string, unknown> = Object.create(null);
  const unreadable: Record<string, string> = Object.create(null);
  const because = (what: string, reason: unknown) => (quiet ? what : `${what}: ${reasonText(reason)}`);

  let made: unknown = payload;
  try {
    if (typeof payload === 'function') made = payload();
  } catch (reason) {
    const payload_error = quiet ? 'the payload function threw' : reasonText(reason);
    return { members, unreadable: { payload_error }, failed: `threw ${kindOf(reason)}` };
  }
  if (made instanceof Promise) {
    made.catch(() => {});
    const payload_error = 'the payload function gave a promise';
    return { members, unreadable: { payload_error }, failed: 'gave a promise' };
  }
  if (made === null || made === undefined) return { members, unreadable };
  if (typeof made !== 'object') return { members: { payload: made }, unreadable };
  try {
    for (const name of Object.keys(made)) {
      try {
        members[name] = Reflect.get(made, name);
      } catch (reason) {
        unreadable[name] = because('getter threw', reason);
      }
    }
  } catch {
    unreadable.payload = 'unreadable';
  }
  return { members, unreadable };
}

function kindOf(reason: unknown): string {
  return reason instanceof Error ? reason.constructor.name : typeof reason;
}

function reasonText(reason: unknown): string {
  try {
    return String(reason);
  } catch {
    return 'unknown';
  }
}
