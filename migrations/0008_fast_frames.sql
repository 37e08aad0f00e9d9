-- The same answer line by line, from the end that matters: one expression over the whole traceback cost 0.4 to 1 ms a
-- capture, two thirds of it; this costs 0.05.
create or replace function dlq.project_frame(traceback text) returns text language plpgsql immutable parallel safe as $$
declare
  lines text[] := string_to_array(right(coalesce(traceback, ''), 16000), E'\n');
  found text[];
begin
  for i in reverse cardinality(lines)..1 loop
    continue when position('File "' in lines[i]) = 0;
    found := regexp_match(lines[i], 'File "([^"]+)", line \d+, in (\S+)');
    if found[1] !~ '(site-packages|dist-packages|lib/python)' then
      return found[2] || '@' || regexp_replace(found[1], '^.*[/\\]', '');
    end if;
  end loop;
  for i in 2..cardinality(lines) loop
    continue when position('at ' in lines[i]) = 0 or position('node_modules' in lines[i]) > 0;
    found := regexp_match(lines[i], '^\s+at (?:async )?(?:([^\s()]+)(?: \[[^\]]*\])? \()?((?:file://)?[^\s():]+):\d+:\d+\)?');
    if found[2] !~ '(^node$|node:)' then
      return coalesce(found[1], '') || '@' || regexp_replace(found[2], '^.*[/\\]', '');
    end if;
  end loop;
  return '';
end $$;
