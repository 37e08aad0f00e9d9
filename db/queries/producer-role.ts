import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../client';

export interface ProducerRole {
  role_name: string;
  login: boolean;
  /** What PostgreSQL keeps of its password; null leaves the one it has. */
  verifier: string | null;
  queue: string | null;
  task_name: string | null;
  /** dlq_compat first on its search_path. */
  compat: boolean;
}

export interface RoleFacts {
  exists: boolean;
  superuser: boolean;
  /** It owns something here, or the session signed in as it. */
  owner: boolean;
  member_of: string[];
}

/** What speaks against making a role a producer. */
export async function describeRole(db: Db | Tx, role_name: string): Promise<RoleFacts> {
  const { rows } = await db.execute<RoleFacts & Record<string, unknown>>(sql`
    select r.oid is not null as exists, coalesce(r.rolsuper, false) as superuser,
      coalesce(r.rolname in (session_user, current_user) or exists (select 1 from pg_class c where c.relowner = r.oid)
        or exists (select 1 from pg_namespace n where n.nspowner = r.oid), false) as owner,
      array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid order by 1) as member_of
    from (select 1) x left join pg_roles r on r.rolname = ${role_name}::text`);
  return rows[0] as RoleFacts;
}

/** The statements that make or correct the role, in order. */
export async function producerStatements(db: Db | Tx, role: ProducerRole): Promise<string[]> {
  const { rows } = await db.execute<{ statements: string[] }>(sql`
    select dlq.producer_statements(${role.role_name}::text, ${role.login}::boolean, ${role.verifier}::text, ${role.queue}::text,
      ${role.task_name}::text, ${role.compat}::boolean) as statements`);
  return rows[0]?.statements ?? [];
}
