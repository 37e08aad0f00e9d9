import pg from 'pg';
import { MigrationError } from '@/db/migration-files';

const insufficientPrivilege = '42501';

/** Throws MigrationError when the server is older than PostgreSQL 14. */
export async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const server = rows[0];
  if (server && server.number < 140_000)
    throw new MigrationError(`PostgreSQL 14 or later is needed; this server is ${server.version}.`);
}

/** Throws MigrationError for a version of PostGIS that lacks what the migrations call. */
export function checkPostgisVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major < 3 || (major === 3 && minor < 3))
    throw new MigrationError(
      `PostGIS 3.3 or later is needed; this database has ${version}. After installing a newer one, run as superuser: alter extension postgis update;`,
    );
}

/** Creates the extension where it is missing. Throws MigrationError with the statement to run where that is not allowed. */
export async function providePostgis(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    database: string;
    role: string;
    installed: string | null;
    available: string | null;
  }>(
    `select current_database() as database, current_user as role,
       (select extversion from pg_extension where extname = 'postgis') as installed,
       (select default_version from pg_available_extensions where name = 'postgis') as available`,
  );
  const found = rows[0];
  if (!found) throw new MigrationError('The server did not answer what extensions it has.');
  const version = found.installed ?? found.available;
  if (version === null)
    throw new MigrationError(
      'PostGIS is not installed on the database server. On Debian or Ubuntu: apt-get install postgresql-<major>-postgis-3',
    );
  checkPostgisVersion(version);
  if (found.installed !== null) return;
  try {
    await client.query('create extension postgis');
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== insufficientPrivilege) throw error;
    throw new MigrationError(
      `The role "${found.role}" may not create the extension PostGIS. Run once as superuser, connected to the database "${found.database}":\n  create extension postgis;`,
    );
  }
}
