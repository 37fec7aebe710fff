-- The purge of deleted workspaces. Each call frees one batch and answers whether it freed anything, so that no single
-- statement deletes millions of rows. What each batch freed is added up in purge_queue, and the log gets one entry
-- with the sums when the workspace is gone. Both functions do nothing for a workspace that was not deleted.

-- Frees conversations, then knowledge base entries, then cases, and at the end the workspace itself.
-- The application's role cannot delete identity events or workspaces, so this runs as the owner.
create or replace function purge_workspace(tenant uuid, of_workspace uuid, batch integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone uuid[];
  freed integer;
  counts jsonb := '{}';
begin
  perform set_config('app.tenant_id', tenant::text, true);
  -- The tombstone of the workspace stands for everything in it.
  perform set_config('app.feed', 'off', true);
  perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
  if not found then return false; end if;
  gone := array(
    select c.id from conversation c where c.tenant_id = tenant and c.workspace_id = of_workspace
    order by c.last_activity_at desc, c.id desc limit batch);
  if cardinality(gone) > 0 then
    delete from identity_event where tenant_id = tenant and conversation_id = any (gone);
    get diagnostics freed = row_count;
    counts := counts || jsonb_build_object('identityEvents', freed);
    delete from attention_item where tenant_id = tenant and conversation_id = any (gone);
    get diagnostics freed = row_count;
    counts := counts || jsonb_build_object('attentionItems', freed);
    delete from message where tenant_id = tenant and conversation_id = any (gone);
    get diagnostics freed = row_count;
    counts := counts || jsonb_build_object('messages', freed);
    update conversation set previous_conversation_id = null
      where tenant_id = tenant and previous_conversation_id = any (gone);
    delete from conversation where tenant_id = tenant and id = any (gone);
    get diagnostics freed = row_count;
    counts := counts || jsonb_build_object('conversations', freed);
    update purge_queue q set removed = add_counts(q.removed, counts)
      where q.tenant_id = tenant and q.workspace_id = of_workspace;
    return true;
  end if;
  gone := array(
    select e.id from kb_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
  if cardinality(gone) > 0 then
    update kb_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
    delete from kb_entry where tenant_id = tenant and id = any (gone);
    get diagnostics freed = row_count;
    update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('kbEntries', freed))
      where q.tenant_id = tenant and q.workspace_id = of_workspace;
    return true;
  end if;
  gone := array(
    select c.id from support_case c where c.tenant_id = tenant and c.workspace_id = of_workspace limit batch);
  if cardinality(gone) > 0 then
    delete from case_event where tenant_id = tenant and case_id = any (gone);
    delete from support_case where tenant_id = tenant and id = any (gone);
    get diagnostics freed = row_count;
    update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('cases', freed))
      where q.tenant_id = tenant and q.workspace_id = of_workspace;
    return true;
  end if;
  perform audit_note('deleted', 'workspace', of_workspace, of_workspace, null, '{}', coalesce((
    select q.removed from purge_queue q where q.tenant_id = tenant and q.workspace_id = of_workspace), '{}'));
  delete from workspace where tenant_id = tenant and id = of_workspace;
  return false;
end $$;
revoke all on function purge_workspace(uuid, uuid, integer) from public;
grant execute on function purge_workspace(uuid, uuid, integer) to parley_app;

-- Frees policies, which would otherwise all go in one statement with the workspace's row. The application's role may
-- delete policies itself, so this runs as the caller.
create or replace function purge_policies(tenant uuid, of_workspace uuid, batch integer) returns boolean
language plpgsql as $$
declare
  gone uuid[];
  freed integer;
begin
  perform set_config('app.audit', 'summed up', true);
  perform set_config('app.feed', 'off', true);
  perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
  if not found then return false; end if;
  gone := array(
    select e.id from policy_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
  if cardinality(gone) = 0 then return false; end if;
  update policy_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
  delete from policy_entry where tenant_id = tenant and id = any (gone);
  get diagnostics freed = row_count;
  update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('policyEntries', freed))
    where q.tenant_id = tenant and q.workspace_id = of_workspace;
  return true;
end $$;
