-- What the assistant does: its runs with their steps, which of them are due, and its settings.

create table assistant_run (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  sequence integer not null,
  agent_id uuid not null,
  requested_by uuid[] not null default '{}',
  instructions_version integer not null,
  attempts integer not null default 0,
  waits integer not null default 0,
  waits_for text,
  waits_until timestamptz(3),
  outcome text,
  reason text,
  hand_over_reason text,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  constraint "PK_8b1b4f3d6d0d0b3d9f56e808364" primary key (tenant_id, id),
  constraint assistant_run_of_message unique (tenant_id, conversation_id, sequence),
  constraint assistant_run_outcome check (
    outcome in ('answered', 'clarified', 'small_talk', 'handed_off', 'superseded', 'discarded', 'failed')
  ),
  constraint assistant_run_ended check ((outcome is null) = (ended_at is null)),
  constraint assistant_run_hand_over_reason check (
    hand_over_reason is null or hand_over_reason in ('nothing_found', 'unsure', 'unfounded', 'opposite', 'not_helped', 'repeated', 'wants_person', 'angry', 'complaint', 'details', 'passed_on', 'used_up', 'failed')
  ),
  constraint assistant_run_waits check (waits_for is null or (waits_for in ('approval', 'verification') and outcome is null)),
  constraint "FK_e9e371db129aa9de2ca6342a06c" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assistant_run_open on assistant_run (tenant_id, conversation_id) where outcome is null;
create index assistant_run_recent on assistant_run (tenant_id, workspace_id, created_at);
create index assistant_run_by_age on assistant_run (tenant_id, created_at);
call isolate('assistant_run');

create table assistant_step (
  tenant_id uuid not null,
  run_id uuid not null,
  position integer not null,
  type text not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  detail jsonb not null,
  constraint "PK_a0e1f42cce5990e9ea36ddf4efd" primary key (tenant_id, run_id, position),
  constraint assistant_step_type check (type in ('retrieve', 'model', 'policy', 'tool', 'procedure', 'send')),
  constraint "FK_35836c78dd4db0b8eaf83fc13c8" foreign key (tenant_id, run_id)
    references assistant_run (tenant_id, id) on delete cascade
);
call isolate('assistant_step');

create table assistant_due (
  tenant_id uuid not null,
  conversation_id uuid not null,
  due_at timestamptz(3) not null,
  claimed boolean not null default false,
  limit_seconds integer not null,
  constraint "PK_f99d9606f7d050229892465f170" primary key (tenant_id, conversation_id),
  constraint "FK_f99d9606f7d050229892465f170" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assistant_due_next on assistant_due (due_at);
create index assistant_due_turn on assistant_due (tenant_id, due_at);
grant select, insert, update, delete on assistant_due to parley_app;

create table assistant_settings (
  tenant_id uuid not null,
  workspace_id uuid not null,
  answer_confidence double precision not null,
  margin double precision not null,
  clarify_confidence double precision not null,
  constraint "PK_e4ce33c4c230a039d43871c4cee" primary key (tenant_id, workspace_id),
  constraint assistant_settings_shares check (
    answer_confidence between 0 and 1 and margin between 0 and 1 and clarify_confidence between 0 and 1
  ),
  constraint "FK_e4ce33c4c230a039d43871c4cee" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('assistant_settings');

create table suggestion (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  kb_entry_id uuid not null,
  version integer not null,
  confidence double precision not null,
  warning text,
  outcome text,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_4356e7c57ac8654e1aa14a289e9" primary key (tenant_id, id),
  constraint suggestion_of_message unique (tenant_id, conversation_id, sequence, kb_entry_id),
  constraint suggestion_outcome check (outcome in ('used', 'edited', 'ignored')),
  constraint suggestion_warning check (warning in ('opposite', 'complaint')),
  constraint suggestion_ended check ((outcome is null) = (ended_at is null)),
  constraint "FK_c6419fa17e277ea298da52c00a2" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_43b52e800f70820cab07b295ea1" foreign key (tenant_id, kb_entry_id)
    references kb_entry (tenant_id, id) on delete cascade
);
create index suggestion_of_entry on suggestion (tenant_id, kb_entry_id);
create index suggestion_by_age on suggestion (tenant_id, created_at);
call isolate('suggestion');
