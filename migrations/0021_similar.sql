-- What others are like an entry is counted each time one is opened: the dictionary's rows first, some of them out of many.
-- No index on dlq.state (combo): it made every bulk change dearer by 15 to 18 % CPU, while a scan of the narrow table that
-- stops at the limit is two to three bare counts(*) at the worst.
create index combo_task on dlq.combo (task_name);
create index combo_verdict on dlq.combo (crs_verdict) where crs_verdict is not null;
