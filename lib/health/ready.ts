import type { Db } from '@/db/client';
import { pendingMigrations } from '@/db/migrate';
import { MigrationError, readMigrations } from '@/db/migration-files';
import { appliedMigrations, serverFacts } from '@/db/queries/server-facts';
import { checkPostgisVersion } from '@/db/server-requirements';
import type { Ready } from '@/lib/contract/health';
import { getTriageIndex } from '@/lib/follow/triage-index';

const NO_TEXT_INDEX =
  'q reads every error: the extension pg_trgm could not be created. As superuser: create extension pg_trgm; then, as owner of the schema: select dlq.index_text();';

/**
 * Whether requests can be served: the database answers, can be written, has PostGIS and every migration of `folder`.
 * @throws what the connection throws where the database is away.
 */
export async function ready({ db }: { db: Db }, { folder }: { folder: string }): Promise<Ready> {
  const facts = await serverFacts(db);
  const applied = facts.has_migrations ? await appliedMigrations(db) : [];
  const reasons: string[] = [];
  if (facts.read_only) reasons.push('the database takes no writes: it is a standby or read-only');
  if (facts.postgis_version === null) reasons.push('the extension PostGIS is missing: run dlo migrate');
  else reasons.push(...reasonsOf(() => checkPostgisVersion(facts.postgis_version ?? '')));
  const files = await readMigrations(folder);
  reasons.push(
    ...reasonsOf(() => {
      const pending = pendingMigrations(files, applied);
      if (pending.length > 0)
        throw new MigrationError(`${pending.length} migrations are to be applied: run dlo migrate`);
    }),
  );
  return {
    ready: reasons.length === 0,
    reasons,
    notes: facts.lacks_text_index ? [NO_TEXT_INDEX] : [],
    postgres_version: facts.postgres_version,
    postgis_version: facts.postgis_version,
    migrations_applied: applied.length,
    triage_index: indexState(),
  };
}

/** How the triage index of this process is. */
export function indexState(): Ready['triage_index'] {
  return getTriageIndex()?.state ?? 'off';
}

function reasonsOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof MigrationError) return [error.message];
    throw error;
  }
}
