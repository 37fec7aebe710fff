-- What agents can use: tools, their calls, and the calls that people have to approve.

create table tool (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  description text not null,
  parameters jsonb not null,
  effect text not null,
  url text not null,
  sealed bytea,
  idempotent boolean not null,
  status_url text,
  timeout_seconds integer not null,
  public_fields text[] not null default '{}',
  expires_after_hours integer not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_67a5a2b2169941db189dcf703c1" primary key (tenant_id, id),
  constraint tool_name unique (tenant_id, workspace_id, name),
  constraint tool_effect check (effect in ('read', 'write')),
  constraint tool_timeout check (timeout_seconds between 1 and 30),
  constraint tool_expiry check (expires_after_hours between 1 and 168),
  constraint "FK_b1a96234dab6c6b250d710674c8" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('tool');

create table tool_call (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  run_id uuid not null,
  tool text not null,
  arguments jsonb not null,
  arguments_hash text not null,
  effect text not null,
  called boolean not null,
  outcome jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  constraint "PK_aa86b8cedf3789a8443046b91c2" primary key (tenant_id, id),
  constraint tool_call_effect check (effect in ('read', 'write')),
  constraint tool_call_ended check ((outcome is null) = (ended_at is null)),
  constraint "FK_066cd3e4a0eddc5f593fe91f5b2" foreign key (tenant_id, run_id)
    references assistant_run (tenant_id, id) on delete cascade
);
create unique index tool_call_once on tool_call (tenant_id, run_id, arguments_hash) where called and effect = 'write';
create index tool_call_of_conversation on tool_call (tenant_id, conversation_id, created_at);
create index tool_call_of_run on tool_call (tenant_id, run_id);
call isolate('tool_call');

create table pending_action (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null,
  run_id uuid not null,
  requested_by uuid[] not null default '{}',
  tool text not null,
  arguments jsonb not null,
  arguments_hash text not null,
  tainted boolean not null,
  guardrail text not null,
  policy_entry_ids uuid[] not null,
  required_assurance_level text,
  status text not null default 'pending',
  expires_at timestamptz(3) not null,
  decided_by uuid,
  decided_at timestamptz(3),
  reason text,
  started_at timestamptz(3),
  result jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_7a877d6824bdba2f75ccc0223f4" primary key (tenant_id, id),
  constraint pending_action_status check (
    status in ('pending', 'approved', 'rejected', 'expired', 'executed', 'failed')
  ),
  constraint pending_action_level check (required_assurance_level in ('identified', 'high-assurance')),
  constraint "FK_a9c3b5a9ad328dd2a04853aad45" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index pending_action_of_conversation on pending_action (tenant_id, conversation_id, created_at, id);
create index pending_action_recent on pending_action (tenant_id, workspace_id, created_at, id);
create index pending_action_by_status on pending_action (tenant_id, workspace_id, status, created_at, id);
create index pending_action_of_run on pending_action (tenant_id, run_id);
create index pending_action_by_age on pending_action (tenant_id, created_at);
call isolate('pending_action');

create table pending_action_due (
  tenant_id uuid not null,
  action_id uuid not null,
  due_at timestamptz(3) not null,
  constraint "PK_fe9ad2f5984a66af51471af1095" primary key (tenant_id, action_id),
  constraint "FK_fe9ad2f5984a66af51471af1095" foreign key (tenant_id, action_id)
    references pending_action (tenant_id, id) on delete cascade
);
create index pending_action_due_next on pending_action_due (due_at);
create index pending_action_due_turn on pending_action_due (tenant_id, due_at);
grant select, insert, update, delete on pending_action_due to parley_app;
