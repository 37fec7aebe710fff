-- Tests are run after each change of what the assistant goes by. Noted in the transaction of the change, by whichever way, and only
-- where there are tests. Changes within half a minute are one run, as when somebody approves several entries.
create or replace function run_tests_after_change() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
  it record;
begin
  for it in
    with made as (
      insert into assistant_test_run (tenant_id, id, workspace_id, cause)
      select w.tenant_id, audit_id(clock_timestamp()), w.id, 'change' from workspace w
      where w.tenant_id = (changed ->> 'tenant_id')::uuid and w.deleted_at is null
        and (w.id = (changed ->> 'workspace_id')::uuid or (tg_table_name = 'agent' and exists (
          select from agent_workspace p
          where p.tenant_id = w.tenant_id and p.workspace_id = w.id and p.agent_id = (changed ->> 'id')::uuid)))
        and exists (select from assistant_test t where t.tenant_id = w.tenant_id and t.workspace_id = w.id)
      on conflict (tenant_id, workspace_id) where status = 'waiting' and cause = 'change' do nothing
      returning tenant_id, id
    )
    insert into assistant_test_due (tenant_id, run_id, due_at)
    select m.tenant_id, m.id, clock_timestamp() + interval '30 seconds' from made m
    returning 1
  loop end loop;
  return null;
end $$;

create or replace trigger tests_after_entry after delete or insert on kb_entry
  for each row execute function run_tests_after_change();
create or replace trigger tests_after_entry_changed after update on kb_entry
  for each row when (
    (old.status, old.question, old.alternate_questions, old.answer, old.language, old.valid_until)
    is distinct from (new.status, new.question, new.alternate_questions, new.answer, new.language, new.valid_until))
  execute function run_tests_after_change();
create or replace trigger tests_after_settings after delete or insert or update on assistant_settings
  for each row execute function run_tests_after_change();
create or replace trigger tests_after_agent_moved after delete or insert on agent_workspace
  for each row execute function run_tests_after_change();
create or replace trigger tests_after_agent after update on agent
  for each row when (
    (old.status, old.name, old.tools, old.guardrails) is distinct from (new.status, new.name, new.tools, new.guardrails))
  execute function run_tests_after_change();
create or replace trigger tests_after_procedure after delete or insert or update on procedure
  for each row execute function run_tests_after_change();
