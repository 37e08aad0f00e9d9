-- The kinds of an entry's faults, to filter and count by: `faults` itself can be megabytes a row, and lies out of line.

-- Each code once, what makes the geometry fail first, then in the order of the list. Total: an element that is no fault counts
-- for nothing, and a code too long for an index is left out.
create function dlq.fault_codes_of(faults jsonb) returns text[] language sql immutable parallel safe as $$
  select array_agg(code order by fails desc, place)
  from (select code, bool_or(severity = 'fails') as fails, min(n) as place
    from (select f.value ->> 'code' as code, coalesce(f.value ->> 'severity', '') as severity, n
      from jsonb_array_elements(case when jsonb_typeof(faults) = 'array' then faults else '[]' end) with ordinality f(value, n)
      where jsonb_typeof(f.value) = 'object' and jsonb_typeof(f.value -> 'code') = 'string') x
    where length(code) between 1 and 100
    group by code order by fails desc, place limit 64) y
$$;

-- Null where there are none; null too in a row that was diagnosed before these columns were, until it is diagnosed again.
alter table dlq.diagnosis add column fault_codes text[], add column fault_count integer;

create function dlq.note_fault_codes() returns trigger language plpgsql as $$
begin
  new.fault_codes := dlq.fault_codes_of(new.faults);
  new.fault_count := case when new.fault_codes is not null then jsonb_array_length(new.faults) end;
  return new;
end $$;
-- a capture inserts a row without faults: it pays for the condition only
create trigger note_fault_codes before insert on dlq.diagnosis for each row when (new.faults <> '[]') execute function dlq.note_fault_codes();
create trigger renote_fault_codes before update of faults on dlq.diagnosis for each row
  when (new.faults <> '[]' or new.fault_codes is not null) execute function dlq.note_fault_codes();

-- The first finds the entries of a rare code; the second counts the codes of many entries without reading the wide rows.
create index diagnosis_fault on dlq.diagnosis using gin (fault_codes) where fault_codes is not null and diagnosed_at is not null;
create index diagnosis_fault_of on dlq.diagnosis (entry_id) include (fault_codes) where fault_codes is not null and diagnosed_at is not null;

-- The entries of a run; most writers of one queue send the same few.
create index entry_run on dlq.entry (run_id text_pattern_ops) where run_id is not null;
