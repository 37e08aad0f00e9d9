import { sql } from 'drizzle-orm';
import type { Db } from '@/db/client';
import { describeRole, type ProducerRole, producerStatements } from '@/db/queries/producer-role';
import { sqlStateOf } from '@/db/sql-state';
import { DlqError } from '@/lib/contract/error';

/** The statements that make a role a producer: it may run the two documents' statements and nothing more. */
export async function planProducerRole(db: Db, role: ProducerRole): Promise<string[]> {
  if (!/^[^\0]{1,63}$/.test(role.role_name))
    throw new DlqError('bad_request', `“${role.role_name.slice(0, 80)}” is no name of a role: 1 to 63 characters`);
  if (/^pg_|^(public|none)$/.test(role.role_name))
    throw new DlqError(
      'bad_request',
      `${role.role_name} is a name that PostgreSQL keeps for itself: choose another one`,
    );
  const { superuser, owner, member_of } = await describeRole(db, role.role_name);
  const because = superuser
    ? 'is a superuser, whom no grant holds back'
    : owner
      ? 'owns tables or schemas here, or is who runs this'
      : member_of.length > 0
        ? `is a member of ${member_of.join(', ')} and may do what that may`
        : null;
  if (because) throw new DlqError('conflict', `${role.role_name} ${because}: name a role for the producer alone`);
  return producerStatements(db, role);
}

/** Makes or corrects the role, in one transaction. Answers the statements that ran. */
export async function makeProducerRole(db: Db, role: ProducerRole): Promise<string[]> {
  const statements = await planProducerRole(db, role);
  try {
    await db.transaction(async (tx) => {
      // the texts are the database's own, quoted there
      for (const statement of statements) await tx.execute(sql.raw(statement));
    });
  } catch (error) {
    if (sqlStateOf(error) === '42501')
      throw new DlqError(
        'forbidden',
        'this role may not make roles or grant on these tables: connect as an administrator (DATABASE_URL)',
      );
    throw error;
  }
  return statements;
}
