import { nearestName } from '../dead-letter/nearest-name';
import { GEOMETRY_ALIASES } from './geometry-member';
import { MEMBERS } from './payload-fields';
import { type Warn, warnOnce } from './warn';

const MOST_NAMES = 5;

/** The task that a warning is about, and who is told. */
export interface WarningOf {
  task_name: string;
  warn: Warn | undefined;
}

/** Members that no field of a capture has, by name alone; told once a task. */
export function warnOfMembers(unknown: readonly string[], has_geometry: boolean, { task_name, warn }: WarningOf): void {
  if (unknown.length === 0) return;
  const told = unknown.slice(0, MOST_NAMES).map((name) => {
    const is_second = has_geometry && (GEOMETRY_ALIASES as readonly string[]).includes(name);
    const near = is_second ? null : nearestName(name, [...MEMBERS]);
    const hint = is_second ? ' (a second geometry)' : near ? ` (did you mean ${near}?)` : '';
    return `${JSON.stringify(name.slice(0, 100))}${hint}`;
  });
  const more = unknown.length > MOST_NAMES ? ` and ${unknown.length - MOST_NAMES} more` : '';
  warnOnce(
    `members ${task_name}`,
    `the payload of task ${JSON.stringify(task_name || 'anonymous')} has members that a capture does not know: ${told.join(', ')}${more}; ` +
      'they are kept in params under $unfit. Put what the task needs into params',
    warn,
  );
}

/** @param what the kind of what was thrown; its text may quote the payload. */
export function warnOfPayload(what: string, { task_name, warn }: WarningOf): void {
  const message = `payload() of task ${JSON.stringify(task_name || 'anonymous')} ${what}; the capture is made without it, and params.$unfit.payload_error says why`;
  warnOnce(`payload ${task_name}`, message, warn);
}

/** @param what the kind of what was thrown, or what the hook gave instead. */
export function warnOfRedaction(what: string, { task_name, warn }: WarningOf): void {
  const message = `redact of task ${JSON.stringify(task_name || 'anonymous')} failed (${what}); the capture holds neither the payload nor the error's words`;
  warnOnce(`redact ${task_name}`, message, warn);
}
