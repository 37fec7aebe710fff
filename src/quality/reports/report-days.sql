-- Notes which days of report_day a change makes untrue, in the transaction of the change. A day is packed two days after its end
-- at the earliest (`report-days.ts`), and what happened within the last day is not noted: a transaction would have to be open
-- for a day to change a day that is packed meanwhile. A conversation that is younger pays for the comparison alone.

create or replace function note_report_days(of_tenant uuid, of_workspace uuid, variadic times timestamptz[]) returns void
language sql set search_path = public, pg_temp as $$
  insert into report_day_change (tenant_id, workspace_id, day, id)
  select of_tenant, of_workspace, d.day, gen_random_uuid()
  from (
    select distinct (t.at at time zone 'UTC')::date as day from unnest(times) as t (at)
    where t.at > '-infinity' and t.at < now() - interval '1 day'
  ) d
  -- What is deleted is not counted.
  where exists (
    select from workspace w where w.tenant_id = of_tenant and w.id = of_workspace and w.deleted_at is null)
$$;

-- What a conversation has in common, such as its labels, is packed with all that happened in it.
create or replace function note_report_days_of(
  of_tenant uuid, of_workspace uuid, of_conversation uuid, variadic times timestamptz[]) returns void
language sql set search_path = public, pg_temp as $$
  select note_report_days(of_tenant, of_workspace, variadic times || array(
    select unnest(array[o.opened_at, o.closed_at]) from open_time o
      where o.tenant_id = of_tenant and o.conversation_id = of_conversation
    union all select r.at from reply_time r where r.tenant_id = of_tenant and r.conversation_id = of_conversation
    union all select unnest(array[a.began_at, a.settled_at]) from assistant_time a
      where a.tenant_id = of_tenant and a.conversation_id = of_conversation
    union all select h.at from hand_over h where h.tenant_id = of_tenant and h.conversation_id = of_conversation
    union all select s.rated_at from csat_survey s
      where s.tenant_id = of_tenant and s.conversation_id = of_conversation and s.rated_at is not null))
$$;

create or replace function open_time_packed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_report_days_of(new.tenant_id, new.workspace_id, new.conversation_id, new.opened_at, new.closed_at);
  elsif tg_op = 'DELETE' then
    perform note_report_days_of(old.tenant_id, old.workspace_id, old.conversation_id, old.opened_at, old.closed_at);
  else
    perform note_report_days_of(
      new.tenant_id, new.workspace_id, new.conversation_id, old.opened_at, old.closed_at, new.opened_at, new.closed_at);
  end if;
  return null;
end $$;

create or replace trigger report_day_opens after insert on open_time
  for each row when (least(new.started_at, new.opened_at, new.closed_at) < now() - interval '1 day')
  execute function open_time_packed();

create or replace trigger report_day_open_changes after update on open_time
  for each row when (
    least(old.started_at, old.opened_at, old.closed_at, new.started_at, new.opened_at, new.closed_at)
      < now() - interval '1 day'
    and (new.* is distinct from old.*))
  execute function open_time_packed();

create or replace trigger report_day_open_goes after delete on open_time
  for each row when (least(old.started_at, old.opened_at, old.closed_at) < now() - interval '1 day')
  execute function open_time_packed();

create or replace function labels_packed() returns trigger language plpgsql as $$
begin
  perform note_report_days_of(new.tenant_id, new.workspace_id, new.id, new.created_at);
  return null;
end $$;

create or replace trigger report_day_labels after update of labels on conversation
  for each row when (new.created_at < now() - interval '1 day' and new.labels is distinct from old.labels)
  execute function labels_packed();

-- The columns of the table that are times are the arguments of its trigger.
create or replace function row_packed() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  given jsonb := coalesce(after, before);
  times timestamptz[] := '{}';
  column_name text;
begin
  foreach column_name in array tg_argv loop
    times := times || (before ->> column_name)::timestamptz || (after ->> column_name)::timestamptz;
  end loop;
  perform note_report_days((given ->> 'tenant_id')::uuid, (given ->> 'workspace_id')::uuid, variadic times);
  return null;
end $$;

create or replace trigger report_day_replies after insert on reply_time
  for each row when (new.at < now() - interval '1 day') execute function row_packed('at');
create or replace trigger report_day_reply_changes after update on reply_time
  for each row when (least(old.at, new.at) < now() - interval '1 day') execute function row_packed('at');
create or replace trigger report_day_reply_goes after delete on reply_time
  for each row when (old.at < now() - interval '1 day') execute function row_packed('at');

create or replace trigger report_day_begins after insert on assistant_time
  for each row when (least(new.began_at, new.settled_at) < now() - interval '1 day')
  execute function row_packed('began_at', 'settled_at');
create or replace trigger report_day_begun_changes after update on assistant_time
  for each row when (least(old.began_at, old.settled_at, new.began_at, new.settled_at) < now() - interval '1 day')
  execute function row_packed('began_at', 'settled_at');
create or replace trigger report_day_begun_goes after delete on assistant_time
  for each row when (least(old.began_at, old.settled_at) < now() - interval '1 day')
  execute function row_packed('began_at', 'settled_at');

create or replace trigger report_day_hands_over after insert on hand_over
  for each row when (new.at < now() - interval '1 day') execute function row_packed('at');
create or replace trigger report_day_hand_over_changes after update on hand_over
  for each row when (least(old.at, new.at) < now() - interval '1 day') execute function row_packed('at');
create or replace trigger report_day_hand_over_goes after delete on hand_over
  for each row when (old.at < now() - interval '1 day') execute function row_packed('at');

create or replace trigger report_day_rates after insert on csat_survey
  for each row when (new.rated_at < now() - interval '1 day') execute function row_packed('rated_at');
create or replace trigger report_day_rating_changes after update on csat_survey
  for each row when (least(old.rated_at, new.rated_at) < now() - interval '1 day')
  execute function row_packed('rated_at');
create or replace trigger report_day_rating_goes after delete on csat_survey
  for each row when (old.rated_at < now() - interval '1 day') execute function row_packed('rated_at');
