-- Tests of the assistant, and what would change if a draft were in use.

create table assistant_test (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text not null,
  conversation_id uuid,
  assurance_level text not null default 'none',
  turns jsonb not null,
  tool_answers jsonb not null default '[]',
  last_result jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_aed3f0677d08a3f98073c5a493b" primary key (tenant_id, id),
  constraint assistant_test_name unique (tenant_id, workspace_id, name),
  constraint "FK_93cd31a34798ec1b67c3d149aac" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade,
  constraint "FK_fb084b409edea36c759248143fe" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assistant_test_of_conversation on assistant_test (tenant_id, conversation_id)
  where conversation_id is not null;
call isolate('assistant_test');

create table assistant_test_run (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  kind text not null default 'tests',
  cause text not null default 'asked',
  status text not null default 'waiting',
  attempts integer not null default 0,
  draft jsonb,
  test_ids uuid[],
  result jsonb,
  error text,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  constraint "PK_bb040c5adbe6e40cd054f326e0d" primary key (tenant_id, id),
  constraint assistant_test_run_kind check (kind in ('tests', 'rehearsal')),
  constraint assistant_test_run_cause check (cause in ('asked', 'change')),
  constraint assistant_test_run_status check (status in ('waiting', 'playing', 'done', 'failed')),
  constraint "FK_350eb4488b17f716e1628ebc004" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index assistant_test_run_of_workspace on assistant_test_run (tenant_id, workspace_id, created_at, id);
create unique index assistant_test_run_after_change on assistant_test_run (tenant_id, workspace_id)
  where status = 'waiting' and cause = 'change';
call isolate('assistant_test_run');

create table assistant_test_change (
  tenant_id uuid not null,
  run_id uuid not null,
  position integer not null,
  conversation_id uuid not null,
  message_id uuid not null,
  turn integer not null,
  before jsonb not null,
  after jsonb not null,
  constraint "PK_e9556ac66f1973f87f02f9a2171" primary key (tenant_id, run_id, position),
  constraint "FK_9c2a4ad86194f82d80fb4b19dfe" foreign key (tenant_id, run_id)
    references assistant_test_run (tenant_id, id) on delete cascade,
  constraint "FK_0b8a20a7f309d22454d1d50e947" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assistant_test_change_of_conversation on assistant_test_change (tenant_id, conversation_id);
call isolate('assistant_test_change');

create table assistant_test_due (
  tenant_id uuid not null,
  run_id uuid not null,
  due_at timestamptz(3) not null,
  lease uuid,
  constraint "PK_095bf5eeb7455c585dc87a7a26f" primary key (tenant_id, run_id),
  constraint "FK_095bf5eeb7455c585dc87a7a26f" foreign key (tenant_id, run_id)
    references assistant_test_run (tenant_id, id) on delete cascade
);
create index assistant_test_due_next on assistant_test_due (due_at);
create index assistant_test_due_turn on assistant_test_due (tenant_id, due_at);
grant select, insert, update, delete on assistant_test_due to parley_app;

-- A test that fails may need somebody.
alter table attention_item
  add constraint "FK_5cc803fb8ef48aaf28ae1be9102"
  foreign key (tenant_id, assistant_test_id) references assistant_test (tenant_id, id) on delete cascade;
