-- What several features use: idempotency keys, rate limits, jobs, the outbox, outcomes and circuit breakers.

create table idempotency_key (
  tenant_id uuid not null,
  fingerprint bytea not null,
  body_hash bytea not null,
  status smallint,
  response text,
  created_at timestamptz(3) not null default now(),
  constraint "PK_27a1c614f69f5f5502a5e1a2398" primary key (tenant_id, fingerprint)
);
create index idempotency_key_by_age on idempotency_key (tenant_id, created_at);
call isolate('idempotency_key');

-- Unlogged: after a crash the windows begin anew.
create unlogged table rate_window (
  client text not null,
  started_at timestamptz(3) not null,
  granted integer not null,
  last_grant integer not null,
  constraint "PK_03f11c656fb567e704fdd6dc766" primary key (client)
);
grant select, insert, update, delete on rate_window to parley_app;

create table job_run (
  name text not null,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  result jsonb not null,
  constraint "PK_a72b11a6ed99e4f8554c29addef" primary key (name)
);
grant select, insert, update, delete on job_run to parley_app;

create table derived_repair (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  subject jsonb not null,
  due_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  constraint "PK_9608be6c882c403e40d0d6f5aaf" primary key (tenant_id, id)
);
create index derived_repair_due on derived_repair (due_at);
create index derived_repair_of_tenant on derived_repair (tenant_id, due_at);
-- The application's role claims rows, and writes and removes them through the functions of derived.sql alone.
grant select, update (due_at, attempts) on derived_repair to parley_app;

create table outbox_message (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null default 'mail',
  channel text not null,
  status text not null,
  sealed bytea not null,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  recipient bytea,
  channel_id uuid,
  conversation_id uuid,
  position integer,
  first_tried_at timestamptz(3),
  receiver text,
  reference text,
  constraint "PK_9a6c2fc5269c102491a62fb8980" primary key (tenant_id, id),
  constraint outbox_message_status check (status in ('queued', 'sent', 'captured', 'dead')),
  constraint "FK_f464d51e463f0ae410192de04b3" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_49942d70c2fa0f18c1e20a51247" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade,
  constraint "FK_dce6640d98d190a8e9ee667d220" foreign key (tenant_id)
    references tenant (id)
);
create unique index outbox_message_of_reference on outbox_message (tenant_id, reference)
  where reference is not null;
create index outbox_message_of_recipient on outbox_message (tenant_id, recipient);
create index outbox_message_recent on outbox_message (tenant_id, status, created_at, id);
create index outbox_message_of_conversation on outbox_message (tenant_id, conversation_id)
  where conversation_id is not null;
create index outbox_message_of_channel on outbox_message (tenant_id, channel_id, status)
  where channel_id is not null;
create index outbox_message_without_channel on outbox_message (tenant_id, kind, created_at)
  where channel_id is null;
call isolate('outbox_message');

create table outbox_queue (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null default 'mail',
  receiver text not null default 'mail',
  due_at timestamptz(3) not null default now(),
  channel_id uuid,
  conversation_id uuid,
  position integer,
  held boolean not null default false,
  waiting_since timestamptz(3) not null default now(),
  constraint "PK_7de3a65423b8bb4353a65bec075" primary key (tenant_id, id),
  constraint "FK_7de3a65423b8bb4353a65bec075" foreign key (tenant_id, id)
    references outbox_message (tenant_id, id) on delete cascade
);
create index outbox_queue_of_channel on outbox_queue (tenant_id, channel_id) where channel_id is not null;
create index outbox_queue_lane on outbox_queue (tenant_id, conversation_id, position)
  where conversation_id is not null;
create index outbox_queue_due on outbox_queue (due_at);
create index outbox_queue_turn on outbox_queue (tenant_id, receiver, due_at);
grant select, insert, update, delete on outbox_queue to parley_app;

create table outcome (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  workspace_id uuid not null,
  metric text not null,
  entity_type text not null,
  entity_id text not null,
  scale smallint not null,
  value smallint not null,
  bad boolean not null,
  weight smallint not null default '1',
  at timestamptz(3) not null default clock_timestamp(),
  constraint "PK_a4713072997b444df723d807a1b" primary key (tenant_id, id),
  constraint outcome_metric check (metric in ('answer', 'csat_asked', 'csat', 'delivery', 'handoff', 'tool')),
  constraint outcome_entity_type check (
    entity_type in ('workspace', 'channel', 'member', 'agent', 'kb_entry', 'tool')
  ),
  constraint outcome_weight check (weight in (1, -1)),
  constraint "FK_69bbc9e91391f49c16823665326" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index outcome_of_metric on outcome (tenant_id, workspace_id, metric);
grant select, insert, delete on outcome to parley_app;

create table outcome_count (
  tenant_id uuid not null,
  workspace_id uuid not null,
  metric text not null,
  entity_type text not null,
  day date not null,
  entity_id text not null,
  scale smallint not null,
  value smallint not null,
  total integer not null,
  bad integer not null,
  settled_total integer not null default 0,
  settled_bad integer not null default 0,
  constraint "PK_ab6dbfe0b998c948a8a537c1ef6" primary key (
    tenant_id, workspace_id, metric, entity_type, day, entity_id, scale, value
  ),
  constraint "FK_d51bb7b7dd1a0e522246ccf7aaa" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index outcome_count_of_entity on outcome_count
  (tenant_id, entity_type, entity_id, metric, day, workspace_id);
call isolate('outcome_count');

create table rating_month (
  tenant_id uuid not null,
  workspace_id uuid not null,
  metric text not null,
  entity_type text not null,
  month date not null,
  entity_id text not null,
  scale smallint not null,
  value smallint not null,
  total integer not null,
  constraint "PK_2a6ca226d1f45fb3cbf9d476e11" primary key (
    tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value
  ),
  constraint "FK_7efdd5c41e99859e99eb296150b" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('rating_month');

create table circuit_breaker (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  entity_type text not null,
  entity_id text not null,
  metric text not null,
  action text not null,
  threshold double precision not null,
  window_days integer not null,
  sample_days integer not null,
  sample_size integer not null,
  observed double precision not null,
  low double precision not null,
  state text not null default 'tripped',
  tripped_at timestamptz(3) not null,
  resolved_by uuid,
  resolved_at timestamptz(3),
  note text,
  constraint "PK_964db1595ba6c4ca8ebf1b90dd5" primary key (tenant_id, id),
  constraint circuit_breaker_metric check (metric in ('answer', 'csat', 'delivery', 'handoff', 'tool')),
  constraint circuit_breaker_entity_type check (entity_type in ('agent', 'kb_entry', 'channel', 'tool')),
  constraint circuit_breaker_action check (action in ('pause_assistant', 'require_approval', 'notify')),
  constraint circuit_breaker_state check (state in ('tripped', 'resolved')),
  constraint circuit_breaker_resolved check ((state = 'resolved') = (resolved_at is not null)),
  constraint "FK_bac78179873d545f57f90d69b91" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index circuit_breaker_recent on circuit_breaker (tenant_id, workspace_id, tripped_at, id);
create index circuit_breaker_recent_tripped on circuit_breaker (tenant_id, workspace_id, tripped_at, id)
  where state = 'tripped';
create unique index circuit_breaker_tripped on circuit_breaker
  (tenant_id, entity_type, entity_id, workspace_id, metric)
  where state = 'tripped';
call isolate('circuit_breaker');

alter table attention_item
  add constraint "FK_2593a826887eb7e0bc675a9b259" foreign key (tenant_id, circuit_breaker_id)
    references circuit_breaker (tenant_id, id) on delete cascade;
