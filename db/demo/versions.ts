/** The pipeline's releases, oldest first. The last one was rolled out this morning and answers the redrives. */
export const VERSIONS = ['2.11.3', '2.12.9', '2.13.4', '2.14.0', '2.14.1'] as const;
export const NEWEST_VERSION = '2.14.1';

/** The first of the 90 nights that a release ran in. */
const FIRST_NIGHT: readonly (readonly [night: number, version: string])[] = [
  [0, '2.11.3'],
  [21, '2.12.9'],
  [53, '2.13.4'],
  [83, '2.14.0'],
];

export const NIGHTS = 90;

export function versionOn(night: number): string {
  return FIRST_NIGHT.filter(([first]) => first <= night).at(-1)?.[1] ?? VERSIONS[0];
}

export function atLeast(version: string, other: string): boolean {
  const a = version.split('.').map(Number);
  const b = other.split('.').map(Number);
  const at = a.findIndex((part, i) => part !== b[i]);
  return at === -1 || (a[at] ?? 0) > (b[at] ?? 0);
}
