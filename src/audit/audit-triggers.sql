-- Who changed what: each table under audit has a function `audit_<table>` and triggers that call it, so no write can
-- bypass the log. The tables that are not under audit are listed in unaudited.ts, each with its reason.
--
-- The change of a column is logged, unless it is bookkeeping: what Parley writes beside what a caller asked for. If you add a
-- column that no caller sets, name it here.

-- Puts a table under audit. The columns are compared in the function, not in the trigger's condition: PostgreSQL keeps
-- a condition as text and parses it again for each statement, and that of a conversation would be 10 kB. Only the
-- function knows the columns, so it is written by this generator: a function for all tables would have to turn each row
-- into JSON.
--   bookkeeping    columns whose change is not logged. The others are `fields` of the entry
--   id             SQL for the id of the resource, over the row `it`
--   workspace, conversation
--                  SQL for the workspace and the conversation of the entry
--   tenant         SQL for the tenant whose log it is, if the table has no tenant_id
--   member         SQL for the member who acts, if the caller is not known yet
--   part_of        SQL for a field: any change of this table is a change of that field of the resource, and is logged
--                  once a transaction
--   deletions      false if the removal of a row is housekeeping
-- Only what the application does is logged row by row. What functions of the owner delete, and what a deletion in
-- batches takes along ('summed up'), gets one entry by audit_note.
create or replace function audit_table(
  audited text,
  resource_type text,
  bookkeeping text[] default '{}',
  id text default 'it.id',
  workspace text default 'null',
  conversation text default 'null',
  tenant text default null,
  member text default null,
  part_of text default null,
  deletions boolean default true
) returns void language plpgsql as $generator$
declare
  of_tenant text := coalesce(tenant, 'it.tenant_id');
  columns text[] := array(
    select attname from pg_attribute
    where attrelid = audited::regclass and attnum > 0 and not attisdropped and attname <> all (bookkeeping)
      and attname not in ('id', 'tenant_id', 'organisation_id', 'created_at', 'created_by', 'updated_at')
    order by attnum);
  differs text[] := array(select format('old.%1$I is distinct from new.%1$I', c) from unnest(columns) c);
  -- first_reply_at is the field firstReplyAt.
  fields text[] := array(
    select format('case when old.%1$I is distinct from new.%1$I then %2$L end', c,
      (select string_agg(case when n = 1 then part else initcap(part) end, '' order by n)
        from string_to_table(c, '_') with ordinality p (part, n)))
    from unnest(columns) c);
  change record;
  unknown text := (
    select c from unnest(bookkeeping) c
    where not exists (select from pg_attribute where attrelid = audited::regclass and attname = c and not attisdropped)
    limit 1);
  entry text := format($entry$
    select %1$s as tenant_id, audit_id(at) as id, date_trunc('milliseconds', at) as at,
      %2$s as actor_kind,
      %3$s as actor_id,
      nullif(current_setting('app.action', true), '') as action,
      %4$s as change,
      %5$L as resource_type, (%6$s)::uuid as resource_id, (%7$s)::uuid as workspace_id,
      (%8$s)::uuid as conversation_id, changed as fields%9$s$entry$,
    of_tenant,
    case
      when member is not null then '''member'''
      else 'nullif(split_part(current_setting(''app.actor'', true), '':'', 1), '''')'
    end,
    coalesce(member, 'nullif(split_part(current_setting(''app.actor'', true), '':'', 2), '''')::uuid'),
    case
      when part_of is not null then '''updated'''
      else 'case tg_op when ''INSERT'' then ''created'' when ''UPDATE'' then ''updated'' else ''deleted'' end'
    end,
    resource_type, id, workspace, conversation,
    case when part_of is not null then format($once$
    where not exists (
      select from audit_entry e
      where e.tenant_id = %1$s and e.resource_id = %2$s and e.at >= date_trunc('milliseconds', now())
        and e.xmin = pg_current_xact_id()::xid and (e.change = 'created' or e.fields @> changed))$once$, of_tenant, id)
    else '' end);
begin
  if unknown is not null then raise exception '% has no column %', audited, unknown; end if;
  execute format($body$
create or replace function audit_%1$s() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  it %1$I%%rowtype;
  changed text[] := '{}';
  at timestamptz := clock_timestamp();%2$s
begin
  if current_setting('app.audit', true) = 'summed up' then return null; end if;
  %3$s
  if tg_op = 'DELETE' then it := old; else it := new; end if;%4$s
  if current_setting('app.derived', true) = 'later' then
    insert into derived_repair (tenant_id, id, kind, subject)
    select e.tenant_id, gen_random_uuid(), 'audit_entry', to_jsonb(e) from (%5$s) e;
  else
    insert into audit_entry (
      tenant_id, id, at, actor_kind, actor_id, action, change, resource_type, resource_id, workspace_id,
      conversation_id, fields)
    %5$s;
  end if;%6$s
  return null;
end $$
$body$,
    audited,
    case when tenant is not null then E'\n  side text := current_setting(''app.tenant_id'', true);' else '' end,
    format($update$if tg_op = 'UPDATE' then
    if not (%s) then return null; end if;
    changed := array_remove(array[%s], null);
  end if;$update$, array_to_string(differs, ' or '), array_to_string(fields, ', ')),
    case when part_of is not null then format(E'\n  changed := array[%s];', part_of) else '' end
      || case
        when tenant is not null then format(E'\n  perform set_config(''app.tenant_id'', (%s)::text, true);', tenant)
        else ''
      end,
    entry,
    case when tenant is not null then E'\n  perform set_config(''app.tenant_id'', side, true);' else '' end);

  -- A trigger needs no right to its function, and nobody else is to call it.
  execute format('revoke all on function audit_%s() from public', audited);

  for change in
    select * from (values
      ('insert', true),
      ('update', true),
      ('delete', deletions)
    ) as c (kind, recorded)
  loop
    if change.recorded then
      execute format('create or replace trigger audit_%1$s after %1$s on %2$I for each row
        when (current_user = ''parley_app'') execute function audit_%2$s()', change.kind, audited);
    else
      execute format('drop trigger if exists audit_%s on %I', change.kind, audited);
    end if;
  end loop;
end $generator$;

-- Tenants and members. The members of a tenant belong to both of its sides: the log of the live side has their changes.
select audit_table(
  'tenant', 'tenant',
  bookkeeping => '{environment}',
  tenant => 'it.id');
select audit_table(
  'member', 'member',
  bookkeeping => '{invitation_expires_at, invitation_mailed, last_seen_at, presence}',
  tenant => 'it.organisation_id');
select audit_table(
  'member_session', 'session',
  bookkeeping => '{
    address, device, environment, expires_at, external, last_used_at, member_id, network,
    refresh_number, rotated_at, used_number}',
  tenant => 'it.organisation_id',
  -- Nobody is the caller yet when a member signs in. An admin ends other members' sessions.
  member => 'coalesce(
    substring(current_setting(''app.actor'', true) from ''^member:(.+)$'')::uuid,
    it.member_id)',
  deletions => false);
select audit_table(
  'second_factor', 'secondFactor',
  bookkeeping => '{
    challenge, counter, credential_id, last_step, last_used_at, public_key, sealed, transports, tries,
    tries_since}',
  tenant => 'it.organisation_id');
select audit_table(
  'member_workspace', 'member',
  id => 'it.member_id',
  part_of => '''workspaceIds''');
select audit_table(
  'api_key', 'apiKey',
  workspace => 'it.workspace_id');

select audit_table(
  'webhook_endpoint', 'webhookEndpoint',
  bookkeeping => '{active_after, active_epoch, failing_since, previous_until}');

-- Workspaces and their settings.
select audit_table('brand', 'brand');
select audit_table(
  'workspace', 'workspace',
  workspace => 'it.id');
select audit_table(
  'channel', 'channel',
  bookkeeping => '{
    attempts, credential_fingerprint, failing_since, last_error, last_test, next_retry_at, renewing_until, revision,
    sign_in, sign_in_begun_at, tokens}',
  workspace => 'it.workspace_id');
select audit_table(
  'widget', 'widget',
  workspace => 'it.workspace_id');
select audit_table(
  'identity_settings', 'identitySettings',
  bookkeeping => '{workspace_id}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id');
select audit_table(
  'verification_source', 'workspace',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''verificationSources''');
select audit_table(
  'eid_scheme', 'workspace',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''eidSchemes''');
select audit_table(
  'csat_config', 'csatConfig',
  bookkeeping => '{workspace_id}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id');
select audit_table(
  'breaker_setting', 'workspace',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''breakerSettings''');
select audit_table(
  'assistant_settings', 'workspace',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''assistantSettings''');
select audit_table(
  'tool', 'tool',
  bookkeeping => '{version}',
  workspace => 'it.workspace_id');
select audit_table(
  'procedure', 'procedure',
  workspace => 'it.workspace_id');
select audit_table(
  'assistant_test', 'assistantTest',
  bookkeeping => '{last_result}',
  workspace => 'it.workspace_id');

-- Contacts.
select audit_table('account', 'account', bookkeeping => '{sort_name}');
select audit_table(
  'contact', 'contact',
  bookkeeping => '{external_id_vouched_within, last_seen_at, sort_name}');
select audit_table(
  'contact_point', 'contact',
  bookkeeping => '{added_at, original, position, vouched_within}',
  id => 'it.contact_id',
  part_of => 'it.kind || ''s''');

-- Conversations.
select audit_table(
  'conversation', 'conversation',
  bookkeeping => '{
    account_id, assisted, channel_type, context_from, delivers, first_reply_at, last_activity_at,
    last_message_preview, last_sequence, last_turn, message_count, open_attention_count,
    pending_action_count, resolved_at, resolved_by, sender_proof, summary_derived, unread_count,
    waiting_since}',
  workspace => 'it.workspace_id',
  conversation => 'it.id');
select audit_table(
  'message', 'message',
  bookkeeping => '{
    authentication, brought_by, conversation_id, delivery_status, held_until, sender_proof, sequence,
    undo, unread_before, waited_since}',
  workspace => '(
    select c.workspace_id from conversation c where c.tenant_id = it.tenant_id and c.id = it.conversation_id)',
  conversation => 'it.conversation_id');
select audit_table(
  'conversation_participant', 'conversation',
  bookkeeping => '{added_at}',
  id => 'it.conversation_id',
  workspace => '(
    select c.workspace_id from conversation c where c.tenant_id = it.tenant_id and c.id = it.conversation_id)',
  conversation => 'it.conversation_id',
  part_of => '''participants''');
select audit_table(
  'attachment', 'attachment',
  bookkeeping => '{conversation_id, message_id, original, position}',
  conversation => 'it.conversation_id',
  deletions => false);
select audit_table(
  'attention_item', 'attentionItem',
  bookkeeping => '{occurrences, resolved_at, resolved_by}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'pending_action', 'pendingAction',
  bookkeeping => '{decided_at, decided_by, started_at}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'canned_reply', 'cannedReply',
  workspace => 'it.workspace_id');
select audit_table('bulk_action', 'bulkAction');
select audit_table('label', 'label');
select audit_table('case_type', 'caseType');
select audit_table(
  'support_case', 'case',
  workspace => 'it.workspace_id');
select audit_table(
  'case_conversation', 'case',
  id => 'it.case_id',
  conversation => 'it.conversation_id',
  part_of => '''conversationIds''');

-- Knowledge, policies and agents.
select audit_table(
  'kb_entry', 'kbEntry',
  bookkeeping => '{
    answered, change_reason, changed_by, helpful, retrieved, reviewed_at, reviewed_by, version}',
  workspace => 'it.workspace_id');
select audit_table(
  'source', 'source',
  bookkeeping => '{error, failed_pages, file_name, found, last_read_at, pages, status}',
  workspace => 'it.workspace_id');
select audit_table(
  'policy_entry', 'policyEntry',
  bookkeeping => '{
    answered, change_reason, changed_by, helpful, retrieved, reviewed_at, reviewed_by, version}',
  workspace => 'it.workspace_id');
select audit_table(
  'agent', 'agent',
  bookkeeping => '{instructions_version}');
select audit_table(
  'agent_workspace', 'agent',
  id => 'it.agent_id',
  part_of => '''workspaceIds''');

-- Calendars and quality.
select audit_table(
  'calendar_connection', 'calendarConnection',
  bookkeeping => '{
    attempts, credential_fingerprint, discovered_at, failing_since, last_error, last_synced_at,
    next_retry_at, revision}',
  workspace => 'it.workspace_id');
select audit_table(
  'booking', 'booking',
  bookkeeping => '{conflict, etag, last_error, revision, seen, sent, url, written}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'circuit_breaker', 'circuitBreaker',
  bookkeeping => '{resolved_at, resolved_by}',
  workspace => 'it.workspace_id');

-- Only this file calls it.
drop function audit_table;
