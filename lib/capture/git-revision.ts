import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** The same as `git rev-parse --short=12`. */
const DIGITS = 12;
/** For the one form of repository that is not read as files; a failing task waits no longer than this, and once. */
const GIT_TIMEOUT_MS = 300;

/**
 * The commit that is checked out in the repository around a folder, read from its files: no process is started while a
 * task waits. Undefined outside of a repository, or where it has no commit yet.
 */
export function gitRevision(folder: string): string | undefined {
  try {
    const git = gitFolder(folder);
    if (git === undefined) return undefined;
    const sha = headOf(git);
    if (sha !== undefined) return sha.slice(0, DIGITS);
    return existsSync(join(commonFolder(git), 'reftable')) ? askGit(folder) : undefined;
  } catch {
    return undefined;
  }
}

/** `.git`, or where a file of that name points to, as in a worktree and in a submodule. */
function gitFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (existsSync(git)) {
      if (statSync(git).isDirectory()) return git;
      const pointer = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
      return pointer === undefined ? undefined : resolve(folder, pointer);
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** Branches and packed refs of a worktree lie in the repository that it was made from. */
function commonFolder(git: string): string {
  const pointer = textOf(join(git, 'commondir'));
  return pointer === undefined ? git : resolve(git, pointer);
}

function headOf(git: string): string | undefined {
  const head = textOf(join(git, 'HEAD'));
  const name = head && /^ref: (.+)$/.exec(head)?.[1];
  if (!name) return shaOf(head);
  const common = commonFolder(git);
  const loose = shaOf(textOf(join(git, name))) ?? shaOf(textOf(join(common, name)));
  if (loose !== undefined) return loose;
  const packed = textOf(join(common, 'packed-refs'))?.split('\n');
  return shaOf(packed?.find((line) => line.endsWith(` ${name}`))?.split(' ')[0]);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

const shaOf = (text: string | undefined): string | undefined => (text && SHA.test(text) ? text : undefined);

function askGit(folder: string): string | undefined {
  const text = execFileSync('git', ['rev-parse', `--short=${DIGITS}`, 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: GIT_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.trim() || undefined;
}
