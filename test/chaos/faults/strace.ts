import { spawnSync } from 'node:child_process';

/** Every sixth fsync says that the disk has failed, every fourth cutting off of a file and every fifth renaming too. */
export const FAILING_DISK: readonly string[] = [
  'fsync:error=EIO:when=2+6',
  'ftruncate:error=EIO:when=1+4',
  'rename:error=EIO:when=2+5',
];

let known: boolean | undefined;

/** Whether strace is here and may trace. */
export function canTrace(): boolean {
  known ??= spawnSync('strace', ['-f', '-o', '/dev/null', '/bin/true']).status === 0;
  return known;
}

/**
 * The command in front of a victim that makes system calls fail, e.g. `fsync:error=EIO:when=3+7` (the third and every
 * seventh after it) or `pwrite64:error=ENOSPC:when=2`. Calls that a `retval` replaces are not made at all: that is a
 * disk that lies, which no checksum of the writer can notice; a short write is had from a small disk that fills up.
 */
export function underStrace(injections: readonly string[]): string[] {
  const calls = [...new Set(injections.map((one) => one.split(':')[0] as string))];
  const inject = injections.flatMap((one) => ['-e', `inject=${one}`]);
  return ['strace', '-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', `trace=${calls.join(',')}`, ...inject];
}
