import { execFileSync } from 'node:child_process';

let revision: string | null | undefined;

/** The code version of a capture: as given, else DLO_CODE_VERSION, else the git revision of the working directory. */
export function codeVersion(given: string | undefined): string | undefined {
  if (given) return given;
  const named = process.env.DLO_CODE_VERSION;
  if (named) return named;
  if (revision === undefined) revision = gitRevision();
  return revision ?? undefined;
}

/** Asked once a process; a machine without git or outside a repository has none. */
function gitRevision(): string | null {
  try {
    const text = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      timeout: 1000,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim() || null;
  } catch {
    return null;
  }
}
