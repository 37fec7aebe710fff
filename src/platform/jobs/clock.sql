-- What is due lies on the clock of PostgreSQL, which may be set back. What was written while it was ahead would then wait for as long as
-- it was ahead: a row that was queued, and a lease of a process that died.

-- Notes what time it is. If the clock went back by more than a minute since it was noted last, all that lies further ahead than three
-- minutes comes back by as much: what was written while the clock was ahead is due when it should be. What was written before that is due
-- too early, so the work of a queue has to put up with that. It happens ten seconds later, because a transaction that began while the clock
-- was ahead goes on writing such times until it ends.
-- No lease ends too early: the clock went back by a little more than is seen here, and no lease that is taken meanwhile lasts longer than
-- three minutes.
-- The tables are those in which jobs find the rows of all tenants, whose due times and leases have one of two names. `waiting_since` says
-- for how long a row waits, and lay ahead as well.
-- Gives by how many seconds all came back, or null.
create or replace function look_at_clock(strangers uuid[]) returns double precision language plpgsql as $$
declare
  noted timestamptz;
  seen timestamptz;
  back interval;
  waits record;
begin
  select j.finished_at, (j.result ->> 'seenBackAt')::timestamptz into noted, seen
  from job_run j where j.name = 'clock' for update;
  if noted > clock_timestamp() + interval '1 minute' then
    -- One that went back twice is seen anew.
    if seen is null or seen > clock_timestamp() then
      update job_run j set result = jsonb_build_object('seenBackAt', clock_timestamp()) where j.name = 'clock';
      return null;
    end if;
    if seen > clock_timestamp() - interval '10 seconds' then
      return null;
    end if;
    back := noted - seen;
    for waits in
      select c.relname as rows, a.attname as until from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relrowsecurity
        and a.attname in ('due_at', 'held_until')
      order by c.relname
    loop
      execute format('
        update %1$I set %2$I = greatest(%2$I - $1, clock_timestamp())
        where %2$I > clock_timestamp() + interval ''3 minutes'' and %2$I < ''infinity'' and not tenant_id = any($2)',
        waits.rows, waits.until) using back, strangers;
    end loop;
    update outbox_queue q set waiting_since = least(q.waiting_since - back, clock_timestamp())
    where q.waiting_since > clock_timestamp() and not q.tenant_id = any(strangers);
  end if;
  insert into job_run as j (name, started_at, finished_at, result)
  values ('clock', clock_timestamp(), clock_timestamp(), '{}')
  on conflict (name) do update
    set started_at = excluded.started_at, finished_at = excluded.finished_at, result = excluded.result
  -- Every process looks, and one of them notes.
  where j.finished_at not between excluded.finished_at - interval '1 second' and excluded.finished_at;
  return extract(epoch from back);
end $$;
