-- What the blob store holds, as far as the database has to know it. A row is there from the moment an upload is announced;
-- `stored_at` is null until its bytes are verified and in place. `last_put_at` is renewed by every upload, so that a blob
-- whose capture is still on its way is too young to be removed.
create table dlq.blob (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  size_bytes bigint check (size_bytes >= 0),
  stored_at timestamptz,
  last_put_at timestamptz not null default clock_timestamp()
);

create index payload_by_ref on dlq.payload (payload_ref) where payload_ref is not null;

-- Whether the task's target fetches a payload by its reference: one that is too large to go along is sent to no other.
alter table dlq.task add column takes_references boolean not null default false;

-- The hash that a reference names; null for a text that is none.
create function dlq.blob_of(payload_ref text) returns bytea language sql immutable strict parallel safe as $$
  select case when payload_ref ~ '^sha256:[0-9a-f]{64}$' then decode(substr(payload_ref, 8), 'hex') end
$$;

-- A payload that names a blob holds the blob's row until its transaction ends: whoever wants to remove the blob waits, and
-- then sees that it is named. Share locks: captures that name one blob do not wait for each other.
create function dlq.hold_named_blob() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  perform 1 from dlq.blob b where b.sha256 = dlq.blob_of(new.payload_ref) for key share;
  return new;
end $$;
create trigger hold_named_blob before insert on dlq.payload for each row when (new.payload_ref is not null)
  execute function dlq.hold_named_blob();
