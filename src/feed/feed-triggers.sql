-- The change feed: each resource that the API shows has a function `feed_<table>` and triggers that call it, so no write
-- can bypass the feed. A row says which resource changed, never what it says, so an erasure has nothing to remove.
--
-- Numbers of transactions order the feed, because a sequence alone loses rows: the transaction that took the lower number
-- may commit after a reader has seen the higher one. A reader stops before the oldest transaction that is still running.
--
-- The number of the transaction itself would not do. A transaction has its number before it waits for a row's lock, so the
-- one that changed the row first may have the higher number. `transaction_id` is the highest number that has ended by now,
-- or its own if that is higher. Whoever gets the lock later sees that the one before has ended, so it has no lower number. If they
-- have the same, the position decides, so the sequence must give its numbers in order: without a cache.
--
-- A change of columns in `ignored` is not a change of the resource. If you add a column that the API does not show, add
-- it there; test/server/contract/feed.spec.ts compares.

-- Puts a table into the feed.
--   ignored        columns that the resource does not show, or whose changes are too many to tell
--   id, workspace, conversation
--                  SQL for the ids of a row, over the row `it`
--   shown          SQL for whether the row is a resource already; by default it is
--   gone           SQL for the tombstone of a row that can no longer be read: 'deleted', 'merged', 'erased' or null
--   state          SQL for what events say of the row: ids and states, never text
--   both_sides     true if both sides of the tenant show the row
create or replace function feed_table(
  watched text,
  resource_type text,
  ignored text[] default '{}',
  id text default 'it.id',
  workspace text default 'null',
  conversation text default 'null',
  shown text default null,
  gone text default null,
  state text default 'null',
  both_sides boolean default false
) returns void language plpgsql as $generator$
declare
  -- Over `it`, or over the row that it replaces.
  was_gone text := replace(gone, 'it.', 'old.');
  was_shown text := replace(shown, 'it.', 'old.');
  entry text := format($entry$
    insert into resource_change (
      tenant_id, transaction_id, position, written_by, at, change, resource_type, resource_id, workspace_id,
      conversation_id, state)
    values (%s, greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1),
      nextval('resource_change_position'), pg_current_xact_id()::text::bigint, clock_timestamp(), what, %L,
      %s, %s, %s, %s)$entry$,
    case when both_sides then 'of_side' else 'it.tenant_id' end, resource_type, id, workspace, conversation, state);
begin
  execute format($body$
create or replace function feed_%1$s() returns trigger language plpgsql%2$s as $$
declare
  it %1$I%%rowtype;
  what text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end;
  side text := current_setting('app.tenant_id', true);
  of_side uuid;
begin
  if current_setting('app.feed', true) = 'off' then return old; end if;
  if tg_op = 'UPDATE' then
    it := old;%3$s
    if it is not distinct from new then return old; end if;%4$s
  end if;
  if tg_op = 'DELETE' then it := old; else it := new; end if;%5$s%7$s
  %6$s;
  return old;
end $$
$body$,
    watched,
    case when both_sides then ' security definer set search_path = public, pg_temp' else '' end,
    (select coalesce(string_agg(format(E'\n    it.%1$I := new.%1$I;', c), ''), '') from unnest(ignored) c),
    case when gone is not null then format($gone$
    it := new;
    if %s is not null and %s is not distinct from %s then return old; end if;
    what := coalesce(%s, what);$gone$, was_gone, was_gone, gone, gone) else '' end,
    case when gone is not null then format($was$
    if tg_op = 'DELETE' and %s is not null then return old; end if;$was$, gone) else '' end,
    case when both_sides then format($sides$for of_side in select t.id from tenant t where t.organisation_id = it.organisation_id loop
    perform set_config('app.tenant_id', of_side::text, true);%s;
  end loop;
  perform set_config('app.tenant_id', side, true)$sides$, entry) else entry end,
    case when shown is not null then format($shown$
    if not (%s) then return old; end if;
    if tg_op = 'UPDATE' and not (%s) then what := 'created'; end if;$shown$, shown, was_shown) else '' end);
  -- A trigger needs no right to its function.
  if both_sides then execute format('revoke all on function feed_%s() from public', watched); end if;
  execute format('create or replace trigger feed_insert after insert on %1$I for each row execute function feed_%1$s()', watched);
  execute format('create or replace trigger feed_update after update on %1$I for each row execute function feed_%1$s()', watched);
  -- Before, so that what refers to the row is still there.
  execute format('create or replace trigger feed_delete before delete on %1$I for each row execute function feed_%1$s()', watched);
end $generator$;

-- A change of a table that is part of a resource is a change of the resource: one row for each statement and resource.
--   from_rows      SQL that gives the resources of the changed rows `touched`: tenant_id, id, workspace_id, conversation_id
create or replace function feed_part(part text, resource_type text, from_rows text) returns void
language plpgsql as $generator$
begin
  execute format($body$
create or replace function feed_%1$s() returns trigger language plpgsql as $$
begin
  if current_setting('app.feed', true) = 'off' then return null; end if;
  insert into resource_change (
    tenant_id, transaction_id, position, written_by, at, change, resource_type, resource_id, workspace_id,
    conversation_id, state)
  select r.tenant_id,
    greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1),
    nextval('resource_change_position'), pg_current_xact_id()::text::bigint, clock_timestamp(),
    'updated', %2$L, r.id, r.workspace_id, r.conversation_id, r.state
  from (%3$s) r;
  return null;
end $$
$body$, part, resource_type, from_rows);
  execute format('create or replace trigger feed_insert after insert on %1$I referencing new table as touched
    for each statement execute function feed_%1$s()', part);
  execute format('create or replace trigger feed_update after update on %1$I referencing new table as touched
    for each statement execute function feed_%1$s()', part);
  execute format('create or replace trigger feed_delete after delete on %1$I referencing old table as touched
    for each statement execute function feed_%1$s()', part);
end $generator$;

-- Conversations.
select feed_table(
  'conversation', 'conversation',
  ignored => '{last_sequence, last_turn, context_from, summary_derived, redacted_at, caller_id, delivers, assisted}',
  workspace => 'it.workspace_id',
  conversation => 'it.id',
  state => 'jsonb_build_object(''status'', it.status, ''previousStatus'', case when tg_op = ''UPDATE'' then old.status end,
    ''handlingMode'', it.handling_mode, ''assigneeId'', it.assignee_id, ''priority'', it.priority,
    ''previousPriority'', case when tg_op = ''UPDATE'' then old.priority end, ''messageCount'', it.message_count)');
-- `released` says that a reply that was held leaves from now on: only then was it sent, for webhooks.
select feed_table(
  'message', 'message',
  ignored => '{waited_since, unread_before, undo, brought_by, by_participant, choices}',
  workspace => '(
    select c.workspace_id from conversation c where c.tenant_id = it.tenant_id and c.id = it.conversation_id)',
  conversation => 'it.conversation_id',
  state => 'jsonb_build_object(''sequence'', it.sequence, ''direction'', it.direction,
    ''deliveryStatus'', it.delivery_status)
    || case when tg_op = ''UPDATE'' and old.delivery_status = ''held'' and it.delivery_status = ''queued''
      then ''{"released": true}'' else ''{}'' end::jsonb
    || case when it.mentions is null then ''{}'' else jsonb_build_object(''mentions'', it.mentions) end');
select feed_part(
  'conversation_participant', 'conversation', $$
  select distinct c.tenant_id, c.id, c.workspace_id, c.id as conversation_id,
    jsonb_build_object('status', c.status, 'previousStatus', c.status, 'handlingMode', c.handling_mode,
      'assigneeId', c.assignee_id, 'priority', c.priority, 'previousPriority', c.priority,
      'messageCount', c.message_count) as state
  from touched it join conversation c on c.tenant_id = it.tenant_id and c.id = it.conversation_id$$);
select feed_part(
  'attachment', 'message', $$
  select distinct m.tenant_id, m.id, c.workspace_id, c.id as conversation_id,
    jsonb_build_object('sequence', m.sequence, 'direction', m.direction, 'deliveryStatus', m.delivery_status) as state
  from touched it
    join message m on m.tenant_id = it.tenant_id and m.id = it.message_id
    join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id$$);
select feed_table(
  'attention_item', 'attention_item',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id',
  state => 'jsonb_build_object(''status'', it.status, ''type'', it.type, ''severity'', it.severity)');
select feed_table(
  'pending_action', 'pending_action',
  ignored => '{started_at, tainted, requested_by}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id',
  state => 'jsonb_build_object(''status'', it.status,
    ''previousStatus'', case when tg_op = ''UPDATE'' then old.status end, ''tool'', it.tool)');
select feed_table('support_case', 'case', ignored => '{redacted_at}', workspace => 'it.workspace_id');
select feed_part(
  'case_conversation', 'case', $$
  select distinct r.tenant_id, r.id, r.workspace_id, null::uuid as conversation_id, null::jsonb as state
  from touched it join support_case r on r.tenant_id = it.tenant_id and r.id = it.case_id$$);

-- Contacts. Each message moves last_seen_at. `formerAccountId` is for the tombstone of an account.
select feed_table(
  'contact', 'contact',
  ignored => '{last_seen_at, sort_name, created_by, external_id_vouched_within}',
  gone => '(case when it.erased_at is not null then ''erased'' when it.deleted_at is not null then ''deleted''
    when it.merged_into_id is not null then ''merged'' end)',
  state => 'case when tg_op = ''UPDATE'' and it.account_id is null and old.account_id is not null
    then jsonb_build_object(''formerAccountId'', old.account_id) end');
select feed_part(
  'contact_point', 'contact', $$
  select distinct it.tenant_id, it.contact_id as id, null::uuid as workspace_id, null::uuid as conversation_id,
    null::jsonb as state
  from touched it$$);
-- Who could read it: whoever made it, and callers that reach one of its contacts, which were unlinked just before.
select feed_table(
  'account', 'account',
  ignored => '{created_by, sort_name}',
  state => 'case when tg_op = ''DELETE'' then jsonb_build_object(''createdBy'', it.created_by, ''contactIds'', array(
    select k.id from resource_change c join contact k on k.tenant_id = c.tenant_id and k.id = c.resource_id
    where c.tenant_id = it.tenant_id and c.transaction_id >= pg_current_xact_id()::text::bigint
      and c.written_by = pg_current_xact_id()::text::bigint and c.resource_type = ''contact''
      and c.state ->> ''formerAccountId'' = it.id::text
      and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null)) end');

-- Workspaces and what is set up in them. The purge of a deleted workspace writes nothing: its tombstone stands for
-- everything in it.
select feed_table(
  'workspace', 'workspace',
  workspace => 'it.id',
  gone => '(case when it.deleted_at is not null then ''deleted'' end)',
  state => 'jsonb_build_object(''brandId'', it.brand_id)');
select feed_table('brand', 'brand');
select feed_table(
  'channel', 'channel',
  ignored => '{credentials, sign_in_begun_at, tokens, renewing_until, delivers, fetched, revision, failing_since, signature}',
  workspace => 'it.workspace_id');

-- Identity events are inserted and deleted. A merge binds them to another contact.
select feed_table(
  'identity_event', 'identity_event',
  ignored => '{written, transition_key}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');

-- Knowledge, policies and agents. How often an entry was used is not told.
select feed_table(
  'kb_entry', 'kb_entry',
  ignored => '{retrieved, answered, helpful, changed_by, change_reason}',
  workspace => 'it.workspace_id',
  state => 'jsonb_build_object(''status'', it.status)');
select feed_table(
  'policy_entry', 'policy_entry',
  ignored => '{retrieved, answered, helpful, changed_by, change_reason, learned_from}',
  workspace => 'it.workspace_id',
  state => 'jsonb_build_object(''status'', it.status)');
-- What a reading counts is told when it ends. The entries that it proposes are told themselves.
select feed_table(
  'source', 'source',
  ignored => '{attachment_id}',
  workspace => 'it.workspace_id',
  state => 'jsonb_build_object(''status'', it.status)');
select feed_table(
  'procedure', 'procedure', workspace => 'it.workspace_id', state => 'jsonb_build_object(''status'', it.status)');
select feed_table(
  'agent', 'agent',
  ignored => '{created_at, updated_at}',
  -- Who could read it: callers that reach one of these workspaces.
  state => 'case when tg_op = ''DELETE'' then jsonb_build_object(''workspaceIds'', array(
    select a.workspace_id from agent_workspace a where a.tenant_id = it.tenant_id and a.agent_id = it.id)) end');
select feed_part(
  'agent_workspace', 'agent', $$
  select distinct it.tenant_id, it.agent_id as id, null::uuid as workspace_id, null::uuid as conversation_id,
    null::jsonb as state
  from touched it$$);

-- Calendars and quality. A survey is a rating once it has a score.
select feed_table(
  'booking', 'booking',
  ignored => '{url, etag, seen, sent, redacted_at}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select feed_table(
  'csat_survey', 'rating',
  ignored => '{contact_id, low_score_threshold, question_language, language, expires_at, not_sent}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id',
  shown => 'it.rated_at is not null');
select feed_table('circuit_breaker', 'circuit_breaker', workspace => 'it.workspace_id');

-- Members, who belong to both sides, and keys.
select feed_table(
  'member', 'member',
  ignored => '{password_hash, invitation_expires_at, invitation_mailed, presence, last_seen_at, updated_at}',
  gone => '(case when it.removed_at is not null then ''deleted'' end)',
  both_sides => true);
select feed_part(
  'member_workspace', 'member', $$
  select distinct it.tenant_id, it.member_id as id, null::uuid as workspace_id, null::uuid as conversation_id,
    null::jsonb as state
  from touched it$$);
select feed_table('api_key', 'api_key', ignored => '{lineage_id}', workspace => 'it.workspace_id');

-- Only this file calls them.
drop function feed_table, feed_part;
