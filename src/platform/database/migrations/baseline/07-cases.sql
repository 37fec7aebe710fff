-- Attention items and cases.

create table attention_item (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid,
  type text not null,
  severity text not null,
  reason text not null,
  status text not null default 'open',
  occurrences integer not null default 1,
  resolved_by uuid,
  resolved_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  channel_id uuid,
  calendar_connection_id uuid,
  circuit_breaker_id uuid,
  assistant_test_id uuid,
  constraint "PK_b0040548c5778cc512e6cfb6f37" primary key (tenant_id, id),
  constraint attention_item_type check (
    type in ('handoff_requested', 'approval_required', 'guardrail_block', 'identity_locked',
    'verification_not_configured', 'low_confidence', 'csat_low', 'channel_error', 'circuit_breaker_tripped',
    'kb_gap', 'assistant_test_failed')
  ),
  constraint attention_item_severity check (severity in ('low', 'medium', 'high', 'urgent')),
  constraint attention_item_status check (status in ('open', 'resolved')),
  constraint attention_item_about check (
    num_nonnulls(conversation_id, channel_id, calendar_connection_id, circuit_breaker_id, assistant_test_id) = 1
  ),
  constraint attention_item_resolved check ((status = 'resolved') = (resolved_at is not null)),
  constraint "FK_addc0a359b9a16e761f1840c87a" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id),
  constraint "FK_1af977682208ee0f33111c23e79" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade,
  constraint "FK_eb9ab70366507d9a0a0fc0ac0b7" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index attention_item_by_type on attention_item (tenant_id, workspace_id, type, created_at, id);
create index attention_item_by_status on attention_item (tenant_id, workspace_id, status, created_at, id);
create index attention_item_recent on attention_item (tenant_id, workspace_id, created_at, id);
create index attention_item_of_conversation on attention_item (tenant_id, conversation_id, created_at, id);
create index attention_item_of_breaker on attention_item (tenant_id, circuit_breaker_id)
  where circuit_breaker_id is not null;
create unique index attention_item_cause_of_breaker on attention_item (tenant_id, circuit_breaker_id, type)
  where status = 'open' and circuit_breaker_id is not null;
create index attention_item_of_test on attention_item (tenant_id, assistant_test_id)
  where assistant_test_id is not null;
create unique index attention_item_cause_of_test on attention_item (tenant_id, assistant_test_id, type)
  where status = 'open' and assistant_test_id is not null;
create index attention_item_of_calendar on attention_item (tenant_id, calendar_connection_id)
  where calendar_connection_id is not null;
create unique index attention_item_cause_of_calendar on attention_item
  (tenant_id, calendar_connection_id, type)
  where status = 'open' and calendar_connection_id is not null;
create index attention_item_of_channel on attention_item (tenant_id, channel_id) where channel_id is not null;
create unique index attention_item_cause_of_channel on attention_item (tenant_id, channel_id, type)
  where status = 'open' and channel_id is not null;
create unique index attention_item_cause on attention_item (tenant_id, conversation_id, type)
  where status = 'open';
call isolate('attention_item');

create table case_type (
  tenant_id uuid not null,
  id uuid not null,
  key text not null,
  name text not null,
  fields jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_402200581a4412fdef3bd8787c6" primary key (tenant_id, id),
  constraint case_type_key unique (tenant_id, key),
  constraint "FK_893b26e799f5d3db9bf78762dcb" foreign key (tenant_id)
    references tenant (id)
);
call isolate('case_type');

create table support_case (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  number integer not null,
  type_id uuid,
  title text not null,
  status text not null default 'submitted',
  priority text not null default 'none',
  contact_id uuid,
  assignee_id uuid,
  fields jsonb not null default '{}',
  due_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  redacted_at timestamptz(3),
  constraint "PK_362170c6c39431cf988d0f8f911" primary key (tenant_id, id),
  constraint support_case_number unique (tenant_id, workspace_id, number),
  constraint support_case_status check (
    status in ('submitted', 'in_progress', 'waiting_on_customer', 'resolved')
  ),
  constraint support_case_priority check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  constraint support_case_erased check (
    redacted_at is null or (title = '' and fields = '{}' and contact_id is null)
  ),
  constraint "FK_71c931ecec230b42fee984bc686" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_157ba58ea6b70b94b96620fc507" foreign key (tenant_id, type_id)
    references case_type (tenant_id, id),
  constraint "FK_b4bd6abec12f9175e4e543c99b7" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index support_case_of_contact on support_case (tenant_id, contact_id, created_at, id)
  where contact_id is not null;
create index support_case_of_assignee on support_case (tenant_id, assignee_id, created_at, id)
  where assignee_id is not null;
create index support_case_by_status on support_case (tenant_id, workspace_id, status, created_at, id);
create index support_case_recent on support_case (tenant_id, workspace_id, created_at, id);
call isolate('support_case');

create table case_counter (
  tenant_id uuid not null,
  workspace_id uuid not null,
  last integer not null,
  constraint "PK_01d9bead8bda2cc0820f145cb64" primary key (tenant_id, workspace_id),
  constraint "FK_01d9bead8bda2cc0820f145cb64" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('case_counter');

create table case_conversation (
  tenant_id uuid not null,
  case_id uuid not null,
  conversation_id uuid not null,
  constraint "PK_3164b9b0d0c6ef35ef0b1e91f37" primary key (tenant_id, case_id, conversation_id),
  constraint "FK_58823fa5cdc28bd2c63a8c35818" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_606d40d851ae22652d71f15b173" foreign key (tenant_id, case_id)
    references support_case (tenant_id, id) on delete cascade
);
create index case_conversation_of_conversation on case_conversation (tenant_id, conversation_id, case_id);
call isolate('case_conversation');

create table case_event (
  tenant_id uuid not null,
  id uuid not null,
  case_id uuid not null,
  type text not null,
  actor_kind text not null,
  actor_id uuid,
  before jsonb,
  after jsonb,
  occurred_at timestamptz(3) not null default now(),
  constraint "PK_4a1ea8602a07d0333788543e0da" primary key (tenant_id, id),
  constraint case_event_type check (
    type in ('created', 'status', 'priority', 'assignee', 'title', 'fields', 'due', 'contact',
    'conversation_linked', 'conversation_unlinked')
  ),
  constraint "FK_4dadfc7225d4b030c9162fbfbde" foreign key (tenant_id, case_id)
    references support_case (tenant_id, id) on delete cascade
);
create index case_event_of_case on case_event (tenant_id, case_id, occurred_at, id);
call isolate('case_event');

create table case_entry (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  at timestamptz(3) not null,
  status text not null,
  assignee_id uuid,
  contact_id uuid,
  words text not null,
  constraint "PK_f89483d95d8f54dc772927b719c" primary key (tenant_id, id),
  constraint "FK_f89483d95d8f54dc772927b719c" foreign key (tenant_id, id) references support_case (tenant_id, id) on delete cascade
);
create index case_entry_recent on case_entry (tenant_id, at);
-- No grant: the application's role can neither read nor write this table.
