-- Tokens of producers. Only the hash of the secret is stored: 256 random bits need no salt and no slow hash.
create table dlq.token (
  id bigint generated always as identity primary key,
  name text not null check (name <> '' and name !~ '^[0-9]+$'),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  hint text not null,
  scope text not null default 'produce' check (scope in ('produce')),
  queue text,
  task_names text[] check (cardinality(task_names) > 0),
  captures_per_s double precision check (captures_per_s > 0),
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
-- A name says which token is meant; a revoked one leaves its name to the next.
create unique index token_name on dlq.token (name) where revoked_at is null;
