import { chooseInstallation, findInstallations, oldestMajor, oldestPostgis } from './find-postgres.mjs';
import { installPackages, postgresPackages } from './install-packages.mjs';
import { Refusal } from './project.mjs';

/**
 * The server binaries to use, installed if they are missing and may be.
 * @param {number | null} clusterMajor the major that made an existing cluster
 * @param {string} [clusterFolder] named in the message when that major is gone
 * @returns {Promise<import('./find-postgres.mjs').Installation>}
 */
export async function provideInstallation(clusterMajor, clusterFolder = '') {
  let choice = chooseInstallation(findInstallations(), clusterMajor);
  if ('problem' in choice && ['none', 'server_too_old', 'no_postgis'].includes(choice.problem)) {
    const present = choice.problem === 'no_postgis' ? (choice.newest?.major ?? null) : clusterMajor;
    await installPackages('PostgreSQL with PostGIS', () => postgresPackages(present));
    choice = chooseInstallation(findInstallations(), clusterMajor);
  }
  if ('installation' in choice) return choice.installation;
  const { problem, newest } = choice;
  if (problem === 'major_gone')
    throw new Refusal(
      `The database in ${clusterFolder} was made by PostgreSQL ${clusterMajor}, and this machine now has only PostgreSQL ${newest?.major}.\n` +
        `Either install PostgreSQL ${clusterMajor} again (Debian: postgresql-${clusterMajor} postgresql-${clusterMajor}-postgis-3),\n` +
        'or bring the data over with pg_upgrade, or move that folder away to begin with an empty database.',
    );
  if (problem === 'postgis_too_old')
    throw new Refusal(
      `PostGIS ${newest?.postgis} is installed, and ${oldestPostgis} or later is needed. Use a newer release of the system, or set DATABASE_URL to a server that has it.`,
    );
  throw new Refusal(
    `No PostgreSQL ${oldestMajor} or later with PostGIS ${oldestPostgis} or later was found, also after installing. Set DATABASE_URL to a server that has both.`,
  );
}
