-- Verification of contacts: events, settings, questions, attempts, factors and magic links.

create table identity_event (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid not null,
  written bigint not null generated always as identity,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  event_type text not null,
  factor_category text,
  factor_type text,
  factor_bound_to_principal uuid,
  scope_dimension text,
  scope_values jsonb,
  evidence_ref text,
  prompt_version text,
  transition_key text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  constraint "PK_58f1fe3b0655b57856f557916f7" primary key (tenant_id, id),
  constraint identity_event_type check (
    event_type in ('factor_added', 'factor_failed', 'kbv_question_asked', 'kbv_question_passed',
    'kbv_question_failed', 'identity_locked_per_call', 'identity_locked_per_24h', 'ani_blocked',
    'assurance_level_reached', 'verification_not_configured', 'verification_agent_context_used',
    'eid_approval_requested', 'eid_link_issued', 'eid_approval_granted', 'eid_approval_denied',
    'eid_approval_expired')
  ),
  constraint identity_event_category check (factor_category in ('knowledge', 'possession', 'inherence')),
  constraint identity_event_factor check (
    event_type not in ('factor_added', 'factor_failed') or coalesce(factor_category is not null
    and factor_type is not null and factor_bound_to_principal is not null and evidence_ref is not null,
    false)
  ),
  constraint identity_event_question check (
    event_type not in ('kbv_question_asked', 'kbv_question_passed', 'kbv_question_failed')
    or coalesce(factor_category = 'knowledge' and factor_bound_to_principal is not null
    and evidence_ref like 'tool:_%', false)
  ),
  constraint identity_event_locked_per_call check (
    event_type not in ('identity_locked_per_call') or coalesce(factor_bound_to_principal is not null
    and evidence_ref ~ '^lockout:per_call:cap=[0-9]+$', false)
  ),
  constraint identity_event_locked_per_24h check (
    event_type not in ('identity_locked_per_24h') or coalesce(factor_bound_to_principal is not null
    and evidence_ref ~ '^per_24h:cap=[0-9]+$', false)
  ),
  constraint identity_event_ani check (
    event_type not in ('ani_blocked') or coalesce(scope_dimension = 'caller_ani'
    and jsonb_typeof(scope_values) = 'array' and jsonb_array_length(scope_values) = 1, false)
  ),
  constraint identity_event_assurance check (
    event_type not in ('assurance_level_reached') or coalesce(factor_bound_to_principal is not null
    and scope_dimension = 'assurance_level' and scope_values in ('["identified"]', '["high-assurance"]'),
    false)
  ),
  constraint identity_event_unconfigured check (
    event_type not in ('verification_not_configured') or coalesce(scope_dimension = 'workspace_id'
    and scope_values = jsonb_build_array(workspace_id::text), false)
  ),
  constraint identity_event_context check (
    event_type not in ('verification_agent_context_used') or coalesce(factor_bound_to_principal is not null
    and evidence_ref like 'tool:_%', false)
  ),
  constraint identity_event_eid check (
    event_type not in ('eid_approval_requested', 'eid_link_issued', 'eid_approval_granted',
    'eid_approval_denied', 'eid_approval_expired') or coalesce(factor_category = 'possession'
    and factor_type = 'eid_verified' and factor_bound_to_principal is not null
    and evidence_ref like 'eid:_%', false)
  ),
  constraint identity_event_only_factors check (
    factor_category is null or event_type in ('factor_added', 'factor_failed', 'kbv_question_asked',
    'kbv_question_passed', 'kbv_question_failed', 'eid_approval_requested', 'eid_link_issued',
    'eid_approval_granted', 'eid_approval_denied', 'eid_approval_expired')
  ),
  constraint "FK_d1ce366f65305ca2b484e9ff3c8" foreign key (tenant_id, factor_bound_to_principal)
    references contact (tenant_id, id),
  constraint "FK_b1695072f286f3caf5daf358500" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id),
  constraint "FK_e2b5c10512d7dc12150b982e9bf" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id)
);
create unique index identity_event_transition on identity_event (tenant_id, transition_key);
create index identity_event_of_caller on identity_event (tenant_id, scope_values)
  where event_type = 'ani_blocked';
create index identity_event_of_principal on identity_event (tenant_id, factor_bound_to_principal)
  where factor_bound_to_principal is not null;
create index identity_event_by_age on identity_event (tenant_id, workspace_id, occurred_at);
create index identity_event_of_conversation on identity_event
  (tenant_id, conversation_id, occurred_at, written);
call isolate('identity_event', grants => 'select, insert');

create table identity_settings (
  tenant_id uuid not null,
  workspace_id uuid not null,
  required_correct_answers integer not null,
  max_wrong_per_conversation integer not null,
  max_wrong_per_identity24h integer not null,
  max_wrong_per_caller_id24h integer not null,
  magic_link_minutes integer not null,
  require_link_code boolean not null,
  address_cool_off_hours integer not null,
  factor_lifetime_minutes integer not null,
  allowed_factors text[] not null,
  prompt_version text,
  constraint "PK_0c9efc0bea9788da5c253ffbd9c" primary key (tenant_id, workspace_id),
  constraint identity_settings_answers check (required_correct_answers between 1 and 10),
  constraint identity_settings_per_conversation check (max_wrong_per_conversation between 1 and 100),
  constraint identity_settings_per_identity check (max_wrong_per_identity24h between 1 and 100),
  constraint identity_settings_per_caller_id check (max_wrong_per_caller_id24h between 1 and 100),
  constraint identity_settings_magic_link check (magic_link_minutes between 1 and 60),
  constraint identity_settings_cool_off check (address_cool_off_hours between 0 and 8760),
  constraint identity_settings_lifetime check (factor_lifetime_minutes between 1 and 1440),
  constraint identity_settings_factors check (
    cardinality(allowed_factors) > 0 and allowed_factors <@ array['kba_static', 'kba_dynamic', 'otp_email',
    'otp_sms', 'magic_link', 'ani_match', 'eid_verified']
  ),
  constraint "FK_0c9efc0bea9788da5c253ffbd9c" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('identity_settings');

create table verification_source (
  tenant_id uuid not null,
  workspace_id uuid not null,
  name text not null,
  position integer not null,
  type text not null,
  questions jsonb not null,
  url text,
  sealed bytea,
  constraint "PK_5a1a491574e2ea0bb40da83dd1f" primary key (tenant_id, workspace_id, name),
  constraint verification_source_type check (type in ('contact_attributes', 'http')),
  constraint verification_source_http check (
    (type = 'http') = (url is not null) and (type = 'http' or sealed is null)
  ),
  constraint "FK_9365ff6d1873519268a45f0494e" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('verification_source');

create table verification_question (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  source text not null,
  key text not null,
  prompt text not null,
  asked_at timestamptz(3) not null default now(),
  answered_at timestamptz(3),
  correct boolean,
  constraint "PK_1660a3de40080cd1f2d88a52639" primary key (tenant_id, id),
  constraint "FK_9d05efa8a1b138da2591667cb0b" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_cf3cd57bb316dfab408925f5c6d" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index verification_question_of_contact on verification_question (tenant_id, contact_id);
create index verification_question_of_conversation on verification_question
  (tenant_id, conversation_id, asked_at, id);
call isolate('verification_question');

create table verification_attempt (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  caller_hash bytea,
  at timestamptz(3) not null default clock_timestamp(),
  wrong boolean not null default false,
  forgiven_at timestamptz(3),
  forgiven_by uuid,
  constraint "PK_d26904f83257e3264d7c09022ca" primary key (tenant_id, id),
  constraint "FK_92f148a5bc71e181b09e2d372ca" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_c0703c11ed9d2e4b92a3fcf56cc" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index verification_attempt_of_caller on verification_attempt (tenant_id, caller_hash, at)
  where caller_hash is not null;
create index verification_attempt_of_contact on verification_attempt (tenant_id, contact_id, at);
create index verification_attempt_of_conversation on verification_attempt (tenant_id, conversation_id, at);
call isolate('verification_attempt');

create table verification_factor (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  factor_type text not null,
  factor_category text not null,
  added_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  constraint "PK_8f55f968d6397f6d64714916db1" primary key (tenant_id, id),
  constraint verification_factor_category check (factor_category in ('knowledge', 'possession', 'inherence')),
  constraint "FK_83328468f45320366a80b3e9fdd" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_ba77be55667ba46ef6763d7d23f" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index verification_factor_of_contact on verification_factor (tenant_id, contact_id);
create index verification_factor_of_conversation on verification_factor
  (tenant_id, conversation_id, added_at);
call isolate('verification_factor');

create table assurance_due (
  tenant_id uuid not null,
  conversation_id uuid not null,
  due_at timestamptz(3) not null,
  constraint "PK_6da6c34ac7debe697e7096a40e2" primary key (tenant_id, conversation_id),
  constraint "FK_6da6c34ac7debe697e7096a40e2" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assurance_due_next on assurance_due (due_at);
create index assurance_due_turn on assurance_due (tenant_id, due_at);
grant select, insert, update, delete on assurance_due to parley_app;

create table magic_link (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  channel text not null,
  point_id uuid not null,
  counts boolean not null,
  code text not null,
  wrong_codes integer not null default 0,
  token_hash text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  redeemed_at timestamptz(3),
  replaced_at timestamptz(3),
  constraint "PK_8281397fd6351a773f25c09cf24" primary key (tenant_id, id),
  constraint magic_link_end check (redeemed_at is null or replaced_at is null),
  constraint magic_link_code check (code ~ '^[1-9][0-9]$'),
  constraint magic_link_channel check (channel in ('email', 'sms')),
  constraint "FK_4aa2f1e0d3df727678144a3789a" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_6ecfbb2b073c679dce66197c661" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index magic_link_expired on magic_link (tenant_id, expires_at);
create index magic_link_of_contact on magic_link (tenant_id, contact_id, created_at);
create unique index magic_link_open on magic_link (tenant_id, conversation_id)
  where redeemed_at is null and replaced_at is null;
create index magic_link_of_conversation on magic_link (tenant_id, conversation_id);
call isolate('magic_link');

create table one_time_code (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  channel text not null,
  point_id uuid not null,
  counts boolean not null,
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  redeemed_at timestamptz(3),
  replaced_at timestamptz(3),
  constraint "PK_ae319dc777991d9f7f3af8031eb" primary key (tenant_id, id),
  constraint one_time_code_end check (redeemed_at is null or replaced_at is null),
  constraint one_time_code_channel check (channel in ('email', 'sms')),
  constraint one_time_code_tries check (tries between 0 and 5),
  constraint "FK_1d8c27c2d8fc7874a5748c6c399" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_e1bf35fdc248036be779c540d43" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index one_time_code_expired on one_time_code (tenant_id, expires_at);
create index one_time_code_of_contact on one_time_code (tenant_id, contact_id, created_at);
create unique index one_time_code_open on one_time_code (tenant_id, conversation_id, channel)
  where redeemed_at is null and replaced_at is null;
create index one_time_code_of_conversation on one_time_code (tenant_id, conversation_id);
call isolate('one_time_code');
