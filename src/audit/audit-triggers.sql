-- Who changed what: each table under audit has a function `audit_<table>` and triggers that call it, so no write can
-- bypass the log. The tables that are not under audit are listed in unaudited.ts, each with its reason.
--
-- The columns whose change is logged are listed one by one. If you add a column, add it here, or to the bookkeeping
-- columns in test/server/contract/audit.spec.ts; the test fails until you do.

-- Puts a table under audit. The columns are compared in the function, not in the trigger's condition: PostgreSQL keeps
-- a condition as text and parses it again for each statement, and that of a conversation would be 10 kB. Only the
-- function knows the columns, so it is written by this generator: a function for all tables would have to turn each row
-- into JSON.
--   columns        whose change is logged, as `fields` of the entry
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
  columns text[] default '{}',
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
  differs text[] := array(select format('old.%1$I is distinct from new.%1$I', c) from unnest(columns) c);
  -- first_reply_at is the field firstReplyAt.
  fields text[] := array(
    select format('case when old.%1$I is distinct from new.%1$I then %2$L end', c,
      (select string_agg(case when n = 1 then part else initcap(part) end, '' order by n)
        from string_to_table(c, '_') with ordinality p (part, n)))
    from unnest(columns) c);
  change record;
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
    case
      when columns <> '{}' then format($update$if tg_op = 'UPDATE' then
    if not (%s) then return null; end if;
    changed := array_remove(array[%s], null);
  end if;$update$, array_to_string(differs, ' or '), array_to_string(fields, ', '))
      else ''
    end,
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
      ('update', columns <> '{}'),
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
  columns => '{name, external_id, webhooks_preview, sign_in_valid_minutes, require_second_factor}',
  tenant => 'it.id');
select audit_table(
  'member', 'member',
  columns => '{email, name, role, password_hash, invitation_hash, removed_at, deactivated_at}',
  tenant => 'it.organisation_id');
select audit_table(
  'member_session', 'session',
  columns => '{authenticated_at, ended_at}',
  tenant => 'it.organisation_id',
  -- Nobody is the caller yet when a member signs in. An admin ends other members' sessions.
  member => 'coalesce(
    substring(current_setting(''app.actor'', true) from ''^member:(.+)$'')::uuid,
    it.member_id)',
  deletions => false);
select audit_table(
  'second_factor', 'secondFactor',
  columns => '{member_id, type, name, confirmed_at}',
  tenant => 'it.organisation_id');
select audit_table(
  'member_workspace', 'member',
  columns => '{member_id, workspace_id}',
  id => 'it.member_id',
  part_of => '''workspaceIds''');
select audit_table(
  'api_key', 'apiKey',
  columns => '{name, prefix, scopes, brand_id, workspace_id, expires_at, revoked_at, lineage_id}',
  workspace => 'it.workspace_id');

select audit_table(
  'webhook_endpoint', 'webhookEndpoint',
  columns => '{url, description, events, status, sealed}');

-- Workspaces and their settings.
select audit_table('brand', 'brand', columns => '{name}');
select audit_table(
  'workspace', 'workspace',
  columns => '{
    brand_id, name, status, primary_language, timezone, assistant_enabled, identity_retention_months,
    deleted_at}',
  workspace => 'it.id');
select audit_table(
  'channel', 'channel',
  columns => '{workspace_id, type, name, status, address, settings, credentials, delivers, fetched}',
  workspace => 'it.workspace_id');
select audit_table(
  'widget', 'widget',
  columns => '{workspace_id, kind, channel_id, name, public_key, allowed_origins, settings, enabled}',
  workspace => 'it.workspace_id');
select audit_table(
  'identity_settings', 'identitySettings',
  columns => '{
    required_correct_answers, max_wrong_per_conversation, max_wrong_per_identity24h,
    max_wrong_per_caller_id24h, magic_link_minutes, require_link_code, address_cool_off_hours,
    factor_lifetime_minutes, allowed_factors, prompt_version}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id');
select audit_table(
  'verification_source', 'workspace',
  columns => '{workspace_id, name, position, type, questions, url, sealed}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''verificationSources''');
select audit_table(
  'eid_scheme', 'workspace',
  columns => '{workspace_id, name, position, issuer, client_id, sealed, acr_values, person_identifier_claim, binding}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''eidSchemes''');
select audit_table(
  'csat_config', 'csatConfig',
  columns => '{enabled, scale, delay_minutes, ask_once_per_days, low_score_threshold, questions}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id');
select audit_table(
  'breaker_setting', 'workspace',
  columns => '{workspace_id, metric, enabled, threshold, window_days, minimum_sample, action}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''breakerSettings''');
select audit_table(
  'assistant_settings', 'workspace',
  columns => '{workspace_id, answer_confidence, margin, clarify_confidence}',
  id => 'it.workspace_id',
  workspace => 'it.workspace_id',
  part_of => '''assistantSettings''');
select audit_table(
  'tool', 'tool',
  columns => '{
    workspace_id, name, description, parameters, effect, url, sealed, idempotent, status_url, public_fields,
    timeout_seconds, expires_after_hours}',
  workspace => 'it.workspace_id');

-- Contacts.
select audit_table('account', 'account', columns => '{external_id, name, domains, industry, plan, attributes}');
select audit_table(
  'contact', 'contact',
  columns => '{
    external_id, name, language, account_id, labels, attributes, blocked, merged_into_id, erased_at,
    deleted_at}');
select audit_table(
  'contact_point', 'contact',
  columns => '{contact_id, kind, value, verified_at}',
  id => 'it.contact_id',
  part_of => 'it.kind || ''s''');

-- Conversations.
select audit_table(
  'conversation', 'conversation',
  columns => '{
    workspace_id, brand_id, channel_id, contact_id, external_id, subject, status, handling_mode,
    assignee_id, priority, labels, language, summary, snoozed_until, resolution, assurance_level,
    csat_score, previous_conversation_id, metadata, redacted_at, caller_id}',
  workspace => 'it.workspace_id',
  conversation => 'it.id');
select audit_table(
  'message', 'message',
  columns => '{
    direction, author_type, author_id, body, body_format, external_id, client_message_id, citations, mentions,
    confidence, redacted_at, occurred_at}',
  workspace => '(
    select c.workspace_id from conversation c where c.tenant_id = it.tenant_id and c.id = it.conversation_id)',
  conversation => 'it.conversation_id');
select audit_table(
  'attachment', 'attachment',
  columns => '{file_name, content_type, size, width, height, uploaded_by}',
  conversation => 'it.conversation_id',
  deletions => false);
select audit_table(
  'attention_item', 'attentionItem',
  columns => '{
    workspace_id, conversation_id, type, severity, reason, status, channel_id, calendar_connection_id,
    circuit_breaker_id}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'pending_action', 'pendingAction',
  columns => '{
    workspace_id, conversation_id, agent_id, run_id, requested_by, tool, arguments, arguments_hash, tainted, guardrail,
    policy_entry_ids, required_assurance_level, status, expires_at, reason, result}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'canned_reply', 'cannedReply',
  columns => '{workspace_id, shortcut, title, body, language}',
  workspace => 'it.workspace_id');
select audit_table('bulk_action', 'bulkAction', columns => '{author_kind, author_id, action, total}');
select audit_table('label', 'label', columns => '{name, colour}');
select audit_table('case_type', 'caseType', columns => '{key, name, fields}');
select audit_table(
  'support_case', 'case',
  columns => '{
    workspace_id, number, type_id, title, status, priority, contact_id, assignee_id, fields, due_at,
    redacted_at}',
  workspace => 'it.workspace_id');
select audit_table(
  'case_conversation', 'case',
  columns => '{case_id, conversation_id}',
  id => 'it.case_id',
  conversation => 'it.conversation_id',
  part_of => '''conversationIds''');

-- Knowledge, policies and agents.
select audit_table(
  'kb_entry', 'kbEntry',
  columns => '{
    workspace_id, status, question, answer, alternate_questions, language, labels, source, confidence,
    evidence, duplicate_of_id, replaces_duplicate, rejection_reason, valid_until}',
  workspace => 'it.workspace_id');
select audit_table(
  'policy_entry', 'policyEntry',
  columns => '{
    workspace_id, status, source, confidence, evidence, duplicate_of_id, rejection_reason, valid_until,
    title, rule, category, effect, tools, conditions, required_assurance_level, priority, learned_from}',
  workspace => 'it.workspace_id');
select audit_table('agent', 'agent', columns => '{kind, name, role, status, instructions, tools, guardrails, unsupported_sentences, wording}');
select audit_table(
  'agent_workspace', 'agent',
  columns => '{agent_id, workspace_id}',
  id => 'it.agent_id',
  part_of => '''workspaceIds''');

-- Calendars and quality.
select audit_table(
  'calendar_connection', 'calendarConnection',
  columns => '{workspace_id, provider, server_url, account_email, credentials, status, disconnected_at}',
  workspace => 'it.workspace_id');
select audit_table(
  'booking', 'booking',
  columns => '{
    workspace_id, calendar_id, conversation_id, contact_id, title, description, location, starts_at,
    ends_at, status, redacted_at}',
  workspace => 'it.workspace_id',
  conversation => 'it.conversation_id');
select audit_table(
  'circuit_breaker', 'circuitBreaker',
  columns => '{
    workspace_id, entity_type, entity_id, metric, action, threshold, window_days, sample_days, sample_size,
    observed, low, state, tripped_at, note}',
  workspace => 'it.workspace_id');

-- Only this file calls it.
drop function audit_table;
