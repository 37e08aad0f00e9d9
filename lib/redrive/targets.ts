import { getConfig, type Target } from '@/lib/config';

export type { Target };

/** The targets that are configured (DLO_TARGETS), by name. Their addresses come from nowhere else: no row, no request. */
export const getTargets = (): Readonly<Record<string, Target>> => getConfig().targets;

/** The target of a name, own members only. */
export const targetOf = (targets: Readonly<Record<string, Target>>, name: string): Target | undefined =>
  Object.hasOwn(targets, name) ? targets[name] : undefined;
