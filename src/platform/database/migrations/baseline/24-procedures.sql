-- Steps that the assistant takes with a contact, their versions, and how far they are in conversations.

create table procedure (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  agent_id uuid not null,
  name text not null,
  status text not null,
  version integer not null default 1,
  starts_with jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_235d2f1ee1b175be39d7a08a419" primary key (tenant_id, id),
  constraint procedure_name unique (tenant_id, workspace_id, name),
  constraint procedure_status check (status in ('draft', 'active', 'paused')),
  constraint "FK_dd797789ea88c52fc540af5dbf7" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade,
  constraint "FK_260b9496b660f3ae85d8272e719" foreign key (tenant_id, agent_id)
    references agent (tenant_id, id) on delete cascade
);
create index procedure_of_agent on procedure (tenant_id, agent_id);
call isolate('procedure');

create table procedure_version (
  tenant_id uuid not null,
  procedure_id uuid not null,
  version integer not null,
  steps jsonb not null,
  changed_by uuid,
  created_at timestamptz(3) not null default now(),
  constraint "PK_6bd9d1ef1143a865ba6936202b5" primary key (tenant_id, procedure_id, version),
  constraint "FK_063e73fbb3572ee53fdd20e5476" foreign key (tenant_id, procedure_id)
    references procedure (tenant_id, id) on delete cascade
);
call isolate('procedure_version');

create table procedure_run (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  procedure_id uuid not null,
  version integer not null,
  state json not null,
  started_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  ending text,
  constraint "PK_ee684f2cd545a45b76038e0e93e" primary key (tenant_id, id),
  constraint procedure_run_ending check (ending in ('completed', 'cancelled', 'left', 'handed_over')),
  constraint procedure_run_ended check ((ending is null) = (ended_at is null)),
  constraint "FK_8c64cf5492720d88e4f3f33cc67" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_4e602cc7e5bd58eac3076ac30f4" foreign key (tenant_id, procedure_id, version)
    references procedure_version (tenant_id, procedure_id, version) on delete cascade
);
create unique index procedure_run_open on procedure_run (tenant_id, conversation_id) where ended_at is null;
create index procedure_run_by_age on procedure_run (tenant_id, started_at);
create index procedure_run_of_conversation on procedure_run (tenant_id, conversation_id);
create index procedure_run_of_version on procedure_run (tenant_id, procedure_id, version);
call isolate('procedure_run');
