-- Every change of state, whoever makes it, is checked, written to dlq.event and put on the feed, once a statement:
-- row triggers made a bulk change of a million entries four times slower.

-- Who acts: the application says so in the settings dlq.actor, dlq.reason and dlq.operation_id; others act "by sql".
create function dlq.actor() returns text language sql stable as $$
  select coalesce(nullif(current_setting('dlq.actor', true), ''), 'sql:' || session_user)
$$;
create function dlq.reason() returns text language sql stable as $$
  select nullif(current_setting('dlq.reason', true), '')
$$;

create function dlq.after_state_insert() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
begin
  insert into dlq.event (entry_id, from_state, to_state, actor, reason, version)
    select entry_id, null, state, dlq.actor(), dlq.reason(), version from new_rows;
  insert into dlq.change (entry_ids) select array_agg(entry_id order by entry_id) from new_rows having count(*) > 0;
  return null;
end $$;

create function dlq.after_state_update() returns trigger language plpgsql security definer set search_path = dlq, public, pg_temp as $$
declare
  wrong record;
begin
  select o.entry_id, o.state as from_state, n.state as to_state, o.version as from_version, n.version as to_version into wrong
  from old_rows o join new_rows n using (entry_id)
  where (n.state <> o.state and (o.state || '>' || n.state) <> all (array[
      'open>redriving', 'open>quarantined', 'open>resolved',
      'redriving>open', 'redriving>redriven', 'redriving>in_doubt', 'redriving>resolved', 'redriving>quarantined',
      'redriven>open', 'redriven>resolved', 'redriven>in_doubt',
      'in_doubt>redriving', 'in_doubt>open', 'in_doubt>resolved', 'in_doubt>redriven',
      'quarantined>open', 'quarantined>resolved', 'resolved>open']))
    or n.version not in (o.version, o.version + 1)
    or (n.version = o.version and (n.state, n.resolution, n.attempt_id, n.redrive_total, n.cancel_requested, n.reopen_count, n.failed_at)
      is distinct from (o.state, o.resolution, o.attempt_id, o.redrive_total, o.cancel_requested, o.reopen_count, o.failed_at))
  limit 1;
  if found then
    raise exception 'entry %: % (version %) cannot become % (version %)', wrong.entry_id, wrong.from_state, wrong.from_version,
      wrong.to_state, wrong.to_version using errcode = 'check_violation';
  end if;
  insert into dlq.event (entry_id, from_state, to_state, resolution, actor, reason, attempt_id, operation_id, version)
    select n.entry_id, o.state, n.state, n.resolution, dlq.actor(), coalesce(dlq.reason(), n.resolution_reason),
      coalesce(n.attempt_id, o.attempt_id), nullif(current_setting('dlq.operation_id', true), '')::bigint, n.version
    from old_rows o join new_rows n using (entry_id)
    where (n.state, n.resolution, n.attempt_id, n.redrive_total, n.cancel_requested, n.reopen_count)
      is distinct from (o.state, o.resolution, o.attempt_id, o.redrive_total, o.cancel_requested, o.reopen_count);
  insert into dlq.change (entry_ids) select array_agg(entry_id order by entry_id) from new_rows having count(*) > 0;
  return null;
end $$;

create trigger after_insert after insert on dlq.state referencing new table as new_rows
  for each statement execute function dlq.after_state_insert();
create trigger after_update after update on dlq.state referencing old table as old_rows new table as new_rows
  for each statement execute function dlq.after_state_update();

-- Mark, never delete; evidence is immutable.
create function dlq.refuse() returns trigger language plpgsql as $$
begin
  raise exception 'dlq.%: % is refused: %', tg_table_name, lower(tg_op),
    case tg_op when 'UPDATE' then 'evidence is immutable' else 'entries are marked, never deleted' end using errcode = 'restrict_violation';
end $$;
create trigger keep before delete or truncate on dlq.entry for each statement execute function dlq.refuse();
create trigger keep before delete or truncate on dlq.state for each statement execute function dlq.refuse();
create trigger keep before update or delete or truncate on dlq.payload for each statement execute function dlq.refuse();
create trigger keep before update or delete or truncate on dlq.occurrence for each statement execute function dlq.refuse();
create trigger keep before update or delete or truncate on dlq.event for each statement execute function dlq.refuse();
create trigger identity before update of id, work_key, idempotency_key on dlq.entry for each statement execute function dlq.refuse();
