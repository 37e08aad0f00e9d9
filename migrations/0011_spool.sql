-- What the loader has read of each spool file. Progress commits in the transaction of the lines it speaks of, so that a
-- loader killed anywhere goes on exactly where the stored lines end.
create table dlq.spool_file (
  id bigint generated always as identity primary key,
  -- a folder, or s3://bucket/prefix
  source text not null,
  name text not null,
  size_bytes bigint not null,
  modified_at timestamptz not null,
  -- up to here every line is stored or rejected; a torn last line stays beyond it
  done_bytes bigint not null default 0 check (done_bytes >= 0),
  -- of the bytes before done_bytes: a file that was replaced has another one and is read from its start
  fingerprint text,
  -- when the file was written that is read: with it, lines without an id or a moment of their own are told from those of
  -- another file that comes under the same name
  edition text,
  lines bigint not null default 0,
  stored bigint not null default 0,
  duplicates bigint not null default 0,
  rejected bigint not null default 0,
  -- where its rejected lines are kept whole
  side_file text,
  state text not null default 'waiting' check (state in ('waiting', 'loading', 'loaded', 'failed', 'missing')),
  error text,
  first_seen_at timestamptz not null default clock_timestamp(),
  loaded_at timestamptz,
  worker text,
  lease_until timestamptz,
  check ((state = 'loading') <= (worker is not null)),
  unique (source, name)
);
create index spool_file_unfinished on dlq.spool_file (source, id) where state in ('waiting', 'loading', 'failed');

-- Lines that could not be taken. `head` is the text's beginning as PostgreSQL can hold it; the side file has the whole.
create table dlq.rejected_line (
  id bigint generated always as identity primary key,
  spool_file_id bigint not null references dlq.spool_file,
  -- of the file when the line was rejected
  edition text not null,
  line bigint not null,
  byte_offset bigint not null,
  sha256 bytea not null,
  reason text not null,
  message text not null,
  head text not null,
  is_whole boolean not null,
  at timestamptz not null default clock_timestamp(),
  dismissed_at timestamptz,
  dismissed_by text,
  -- the entry that a later try made of it
  entry_id bigint references dlq.entry,
  check ((dismissed_at is null) = (dismissed_by is null)),
  unique (spool_file_id, edition, line, sha256)
);
create index rejected_line_open on dlq.rejected_line (id) where dismissed_at is null;

-- What the last look at each watched source found.
create table dlq.spool_source (
  url text primary key,
  kind text not null check (kind in ('directory', 'bucket')),
  reachable boolean not null,
  error text,
  -- null where the server does not say where its data lies, or lies on another machine
  same_filesystem boolean,
  looked_at timestamptz not null default clock_timestamp()
);
