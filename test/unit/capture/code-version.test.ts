import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { VERSION_VARIABLES } from '@/lib/capture/code-version';
import { gitRevision } from '@/lib/capture/git-revision';

let folder: string;
let repository: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  }).trim();
const revisionOf = (cwd: string) => git(cwd, 'rev-parse', '--short=12', 'HEAD');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dlo-version-'));
  repository = join(folder, 'repository');
  mkdirSync(join(repository, 'tasks/deep'), { recursive: true });
  git(repository, 'init');
  for (const text of ['one', 'two']) {
    writeFileSync(join(repository, 'a'), text);
    git(repository, 'add', '.');
    git(repository, 'commit', '-m', text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the revision around a folder', () => {
  test('is git’s own answer: on a branch, deep below, packed, and detached', () => {
    const deep = join(repository, 'tasks/deep');
    expect(gitRevision(deep)).toBe(revisionOf(repository));
    git(repository, 'checkout', '-b', 'feature/with/slashes');
    git(repository, 'pack-refs', '--all');
    expect(gitRevision(deep)).toBe(revisionOf(repository));
    git(repository, 'checkout', '--detach', 'HEAD~1');
    expect(gitRevision(deep)).toBe(revisionOf(repository));
    git(repository, 'checkout', 'main');
  });

  test('is the worktree’s own in a worktree, on a branch and detached', () => {
    const [onBranch, detached] = [join(folder, 'on-branch'), join(folder, 'detached')];
    git(repository, 'worktree', 'add', '-b', 'other', onBranch, 'HEAD~1');
    git(repository, 'worktree', 'add', '--detach', detached, 'HEAD~1');
    for (const worktree of [onBranch, detached]) {
      expect(gitRevision(worktree)).toBe(revisionOf(worktree));
      expect(gitRevision(worktree)).not.toBe(revisionOf(repository));
    }
  });

  test('is none outside of a repository, before the first commit, and where the files are no repository', () => {
    expect(gitRevision('/')).toBeUndefined();
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    git(empty, 'init');
    expect(gitRevision(empty)).toBeUndefined();
    const broken = join(folder, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, '.git'), 'nothing to follow');
    expect(gitRevision(broken)).toBeUndefined();
  });
});

describe('the code version', () => {
  test('is the given one, else the first of the environment’s names, else the revision', async () => {
    // found once a process, and other tests run in this one
    vi.resetModules();
    const { codeVersion } = await import('@/lib/capture/code-version');
    for (const name of VERSION_VARIABLES) vi.stubEnv(name, '');
    // a repository of its own: in the one around the tests somebody may commit meanwhile
    vi.spyOn(process, 'cwd').mockReturnValue(repository);
    expect(codeVersion(undefined)).toBe(revisionOf(repository));
    vi.restoreAllMocks();
    vi.stubEnv('SOURCE_VERSION', 'from heroku');
    expect(codeVersion(undefined)).toBe('from heroku');
    vi.stubEnv('GITHUB_SHA', 'from github');
    expect(codeVersion('')).toBe('from github');
    vi.stubEnv('DLO_CODE_VERSION', '2.14.0');
    expect(codeVersion(undefined)).toBe('2.14.0');
    expect(codeVersion('given')).toBe('given');
    vi.unstubAllEnvs();
  });
});
