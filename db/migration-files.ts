import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The database cannot be brought to the newest schema; the message is for the person who runs it. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/** One file of the migrations folder; `sha256` in hex, over its bytes. */
export type Migration = { name: string; sha256: string; sql: string };

const fileName = /^\d{4}_[a-z0-9_]+\.sql$/;

/** Reads `NNNN_name.sql` in order of number. Throws MigrationError for a name that has no place in the order. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  for (const [i, name] of names.entries()) {
    if (!fileName.test(name)) throw new MigrationError(`${name}: a migration is named NNNN_words_in_lower_case.sql.`);
    const previous = names[i - 1];
    if (previous?.slice(0, 4) === name.slice(0, 4))
      throw new MigrationError(`${previous} and ${name} have the same number. Give one the next free number.`);
  }
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, sha256: createHash('sha256').update(bytes).digest('hex'), sql: bytes.toString('utf8') };
    }),
  );
}
