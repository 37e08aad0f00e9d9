import { gitRevision } from './git-revision';

/** Looked at in this order; the first is this product's own, the others are those of the usual builds. */
export const VERSION_VARIABLES = [
  'DLO_CODE_VERSION',
  'GIT_COMMIT',
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BUILD_SOURCEVERSION',
  'BITBUCKET_COMMIT',
  'CIRCLE_SHA1',
  'SOURCE_VERSION',
  'SOURCE_COMMIT',
  'GIT_SHA',
  'COMMIT_SHA',
] as const;

let revision: string | null | undefined;

/** The code version of a capture: as given, else from the environment, else the git revision around the working directory. */
export function codeVersion(given: string | undefined): string | undefined {
  if (given) return given;
  for (const name of VERSION_VARIABLES) {
    const named = process.env[name]?.trim();
    if (named) return named;
  }
  if (revision === undefined) revision = workingRevision();
  return revision ?? undefined;
}

/** Found once a process: a task that runs for days is what it was when it started. */
function workingRevision(): string | null {
  try {
    return gitRevision(process.cwd()) ?? null;
  } catch {
    // the working directory may be gone
    return null;
  }
}
