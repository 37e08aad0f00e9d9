-- Views of the triage page that people named. `search` is the search part of the page's address as it stood: what a later
-- version cannot read of it is told when it is opened, not here. Two owners and two queues may each have a “This week”.
create table dlq.saved_view (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 80),
  queue text not null default '',
  search text not null check (char_length(search) <= 20000),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_by text not null,
  changed_at timestamptz not null default clock_timestamp(),
  version bigint not null default 1,
  deleted_at timestamptz
);
-- A deleted view leaves its name to the next, and can come back while nobody has taken it.
create unique index saved_view_name on dlq.saved_view (queue, created_by, lower(name)) where deleted_at is null;
