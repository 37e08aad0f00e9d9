-- What others are like an entry is counted each time one is opened: by the dictionary's rows first, some of them out of
-- many, then by the entries that have them. Without these a rare likeness is a scan of every state (5 times a bare count(*)).
create index combo_signature on dlq.combo (signature);
create index combo_task on dlq.combo (task_name, code_version);
create index combo_verdict on dlq.combo (crs_verdict) where crs_verdict is not null;
create index state_combo on dlq.state (combo);
