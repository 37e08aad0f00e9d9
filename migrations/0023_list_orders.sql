-- Every order of the list is a walk along an index. Partial ones hold only what needs them: the many entries that failed once,
-- and those without a distance, are walked by their id. On dlq.entry none costs a HOT update: fewer than one in thirty had been one.
create index entry_first_seen on dlq.entry (first_seen, id);
create index entry_attempts on dlq.entry (attempts, id) where attempts > 1;
create index state_tile_distance on dlq.state (tile_distance_m, entry_id) where tile_distance_m is not null;

-- An index whose predicate names a column costs each change of that column its HOT update: this one named `state`, so every
-- change of a state wrote to all indexes of its row.
drop index dlq.state_unconfirmed;
create index state_unconfirmed on dlq.state (redriven_at) where attempt_id is not null;
