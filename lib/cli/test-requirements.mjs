import { spawnSync } from 'node:child_process';
import { findChromium } from './find-chromium.mjs';
import { installPackages } from './install-packages.mjs';
import { provideInstallation } from './postgres-installation.mjs';
import { Refusal } from './project.mjs';

/** What the tests use of the system beside PostgreSQL: how to see that it is there, and Debian's package for it. */
const requirements = [
  { name: 'chromium', isThere: () => findChromium() !== null },
  ...['psycopg', 'psycopg2', 'shapely', 'pyproj', 'geoalchemy2'].map((module) => ({
    name: `python3-${module}`,
    // Debian's own Python sees Debian's modules; another one earlier in PATH does not.
    isThere: () => spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status === 0,
  })),
  // a disk that fails: without it a quarter of the fault schedules is left out
  { name: 'strace', isThere: () => spawnSync('strace', ['--version']).status === 0 },
  { name: 'gdal-bin', isThere: () => spawnSync('ogrinfo', ['--version']).status === 0 },
];

const missing = () => requirements.filter(({ isThere }) => !isThere()).map(({ name }) => name);

/** Installs what the tests need, or tells the command that does. */
export async function provideTestRequirements() {
  await provideInstallation(null);
  const names = missing();
  if (names.length === 0) return;
  await installPackages('What the tests need of the system', () => names);
  const still = missing();
  if (still.length > 0) throw new Refusal(`Installed, but not usable: ${still.join(', ')}`);
}
