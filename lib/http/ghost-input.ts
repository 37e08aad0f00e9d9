import { DlqError } from '@/lib/contract/error';
import type { GhostReading } from '@/lib/triage/get-ghost';

/** The query parameters of a ghost; without a swap and with both signs as they are where they are left out. @throws DlqError bad_request. */
export function readGhostInput(search: URLSearchParams): GhostReading {
  const crs = search.get('crs') ?? '';
  if (crs === '') throw refused('crs', 'an id such as EPSG:3734', crs);
  return {
    crs,
    swapped: oneOf(search, 'swapped', { false: false, true: true }, false),
    x_sign: oneOf(search, 'x_sign', { '1': 1, '-1': -1 } as const, 1),
    y_sign: oneOf(search, 'y_sign', { '1': 1, '-1': -1 } as const, 1),
  };
}

function oneOf<T>(search: URLSearchParams, name: string, values: Record<string, T>, otherwise: T): T {
  const given = search.get(name);
  if (given === null) return otherwise;
  const found = Object.hasOwn(values, given) ? values[given] : undefined;
  if (found === undefined) throw refused(name, Object.keys(values).join(' or '), given);
  return found;
}

function refused(parameter: string, takes: string, given: string): DlqError {
  return new DlqError('bad_request', `${parameter} takes ${takes}, not “${given.slice(0, 80)}”`, { parameter });
}
