import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Refusal } from './project.mjs';
import { runLogged, step } from './steps.mjs';

/** Whether packages can be had through apt, as on Debian and Ubuntu. */
export const hasApt = () => existsSync('/usr/bin/apt-get');

const isRoot = () => process.getuid?.() === 0;

/** @param {string} name */
export function aptHas(name) {
  const shown = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return /Candidate: (?!\(none\))/.test(shown.stdout ?? '');
}

/**
 * The packages that give a server with PostGIS: the newest installed major if it only lacks PostGIS, else what the
 * distribution's `postgresql` stands for.
 * @param {number | null} major of a server that is installed
 * @returns {string[]}
 */
export function postgresPackages(major) {
  if (major !== null && aptHas(`postgresql-${major}-postgis-3`))
    return [`postgresql-${major}`, `postgresql-${major}-postgis-3`];
  const shown = spawnSync('apt-cache', ['depends', 'postgresql'], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const found = /Depends: postgresql-(\d+)/.exec(shown.stdout ?? '')?.[1];
  return found ? [`postgresql-${found}`, `postgresql-${found}-postgis-3`] : ['postgresql', 'postgresql-postgis'];
}

/** @param {string[]} names */
export const installCommand = (names) =>
  `${isRoot() ? '' : 'sudo '}sh -c 'apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}'`;

const environment = () => ({ ...process.env, DEBIAN_FRONTEND: 'noninteractive' });
const aptOptions = ['-q', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Use-Pty=0'];

/**
 * Installs Debian packages after naming them. Only root on Debian or Ubuntu can; everyone else is told the command.
 * @param {string} purpose what is missing, for the reader
 * @param {() => string[]} choose names the packages; asked again once the package lists are fresh
 */
export async function installPackages(purpose, choose) {
  if (!hasApt())
    throw new Refusal(
      `${purpose} is missing. Install it with your system's packages, then try again (on Debian or Ubuntu:\n  ${installCommand(choose())}\n).`,
    );
  if (!isRoot()) throw new Refusal(`${purpose} is missing. Install it, then try again:\n  ${installCommand(choose())}`);
  await step('Package lists (apt-get update)', () =>
    runLogged('apt-get', [...aptOptions, 'update'], { log: 'apt-update', env: environment() }),
  );
  const names = choose();
  console.log(`  ${purpose} is missing; these Debian packages will be installed: ${names.join(' ')}`);
  await step(`apt-get install ${names.join(' ')}`, () =>
    runLogged('apt-get', [...aptOptions, 'install', '-y', '--no-install-recommends', ...names], {
      log: 'apt-install',
      env: environment(),
    }),
  );
}
