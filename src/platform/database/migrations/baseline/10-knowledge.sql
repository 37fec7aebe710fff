-- Knowledge base entries with their search index, and agents.

create table kb_entry (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  status text not null,
  question text not null,
  answer text not null,
  alternate_questions text[] not null default '{}',
  language text not null,
  labels text[] not null default '{}',
  replaces_duplicate boolean not null default false,
  source text not null default 'manual',
  confidence double precision,
  evidence jsonb not null default '[]',
  duplicate_of_id uuid,
  reviewed_by uuid,
  reviewed_at timestamptz(3),
  rejection_reason text,
  valid_until timestamptz(3),
  retrieved integer not null default 0,
  answered integer not null default 0,
  helpful integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  changed_by uuid,
  change_reason text,
  read_from jsonb,
  constraint "PK_3193994bd7f102b964f1ac4de05" primary key (tenant_id, id),
  constraint kb_entry_status check (status in ('pending', 'approved', 'rejected', 'archived')),
  constraint kb_entry_source check (source in ('manual', 'learning', 'import', 'source')),
  constraint kb_entry_confidence check (confidence between 0 and 1),
  constraint "FK_524daee3632d836730340ccb7f8" foreign key (tenant_id, duplicate_of_id)
    references kb_entry (tenant_id, id),
  constraint "FK_9efd96ff26a226a1ce2090abf31" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id)
);
create index kb_entry_duplicates on kb_entry (tenant_id, duplicate_of_id) where duplicate_of_id is not null;
create index kb_entry_by_status on kb_entry (tenant_id, workspace_id, status, created_at, id);
create index kb_entry_of_workspace on kb_entry (tenant_id, workspace_id, created_at, id);
call isolate('kb_entry');

create table kb_entry_version (
  tenant_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  content jsonb not null,
  changed_by uuid,
  reason text,
  created_at timestamptz(3) not null,
  constraint "PK_fe1b96900c75c77c8d983feb85f" primary key (tenant_id, entry_id, version),
  constraint "FK_3d8e7fa8df97e9ea36127a7f791" foreign key (tenant_id, entry_id)
    references kb_entry (tenant_id, id) on delete cascade
);
call isolate('kb_entry_version');

-- Orders the vectors of questions by when they were stored, so that a process reads only those that are new to it.
create sequence kb_question_embedded;
grant usage on sequence kb_question_embedded to parley_app;

create table kb_question (
  tenant_id uuid not null,
  entry_id uuid not null,
  n integer not null,
  workspace_id uuid not null,
  approved boolean not null,
  said text not null,
  valid_until timestamptz(3),
  terms integer[] not null,
  vector bytea,
  model text not null default '',
  embedded bigint,
  constraint "PK_8f41f0fd564f5007af4141967e3" primary key (tenant_id, entry_id, n),
  constraint "FK_d59b198ce9630fa4f3798fa0284" foreign key (tenant_id, entry_id)
    references kb_entry (tenant_id, id) on delete cascade
);
create index kb_question_by_model on kb_question (tenant_id, model, entry_id, n);
create index kb_question_by_embedding on kb_question (tenant_id, workspace_id, embedded);
call isolate('kb_question');

create table kb_posting (
  tenant_id uuid not null,
  workspace_id uuid not null,
  approved boolean not null,
  term integer not null,
  entry_id uuid not null,
  ns smallint[] not null,
  constraint "PK_49834021b42bd002afa9ed43670" primary key (
    tenant_id, workspace_id, approved, term, entry_id, ns
  )
);
call isolate('kb_posting');

create table source (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  url text,
  attachment_id uuid,
  file_name text,
  schedule text not null default 'never',
  status text not null default 'waiting',
  last_read_at timestamptz(3),
  pages integer not null default 0,
  failed_pages integer not null default 0,
  found integer not null default 0,
  error text,
  error_code text,
  error_value integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_b011f98900ef715006390f15f88" primary key (tenant_id, id),
  constraint source_kind check (kind in ('website', 'file', 'help_centre')),
  constraint source_schedule check (schedule in ('never', 'daily', 'weekly')),
  constraint source_status check (status in ('waiting', 'reading', 'ready', 'failed')),
  constraint source_error check ((error is null) = (error_code is null)),
  constraint source_error_code check (
    error_code is null or error_code in ('unreachable', 'robots_forbid', 'robots_failed', 'sitemap_empty', 'no_page', 'too_many_pages', 'too_many_bytes', 'too_many_addresses', 'too_slow', 'stopped_answering', 'too_much_text', 'file_gone', 'file_too_slow', 'file_too_large', 'file_damaged', 'file_empty', 'help_centre_failed', 'help_centre_not_json', 'help_centre_empty', 'failed')
  ),
  constraint source_origin check ((url is null) <> (attachment_id is null)),
  constraint "FK_848360d79068a84655bf9524c0c" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create unique index source_url on source (tenant_id, workspace_id, url) where url is not null;
create index source_of_workspace on source (tenant_id, workspace_id, created_at, id);
call isolate('source');

create table source_page (
  tenant_id uuid not null,
  source_id uuid not null,
  url text not null,
  etag text,
  last_modified text,
  read_at timestamptz(3) not null default now(),
  constraint "PK_860e79fe8b1fc33baf94f1412af" primary key (tenant_id, source_id, url),
  constraint "FK_9f93e77e4e26f6f81ffe05c2ce8" foreign key (tenant_id, source_id)
    references source (tenant_id, id) on delete cascade
);
call isolate('source_page');

create table source_section (
  tenant_id uuid not null,
  source_id uuid not null,
  key text not null,
  url text not null,
  digest text,
  entry_id uuid,
  entry_digest text,
  proposal_id uuid,
  constraint "PK_25427ddffcfa67d8caff3f7e91e" primary key (tenant_id, source_id, key),
  constraint "FK_42dfae524b3cf1acd377e8a1738" foreign key (tenant_id, source_id)
    references source (tenant_id, id) on delete cascade
);
call isolate('source_section');

create table source_due (
  tenant_id uuid not null,
  source_id uuid not null,
  due_at timestamptz(3) not null,
  lease uuid,
  constraint "PK_f30dbda5edfd13c8780d6305264" primary key (tenant_id, source_id),
  constraint "FK_f30dbda5edfd13c8780d6305264" foreign key (tenant_id, source_id)
    references source (tenant_id, id) on delete cascade
);
create index source_due_next on source_due (due_at);
create index source_due_turn on source_due (tenant_id, due_at);
grant select, insert, update, delete on source_due to parley_app;

create table site_reading (
  site text not null,
  lease uuid not null,
  ends_at timestamptz(3) not null,
  constraint "PK_cdb465f4b2b16a0982c1e2a4c36" primary key (site)
);
grant select, insert, update, delete on site_reading to parley_app;

create table agent (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  role text not null,
  status text not null default 'active',
  instructions text not null,
  instructions_version integer not null default 1,
  tools text[] not null default '{}',
  guardrails jsonb not null default '[]',
  unsupported_sentences text not null default 'cut',
  wording text not null default 'quotes',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_df221f601d2c4c0fa741b2b421f" primary key (tenant_id, id),
  constraint agent_kind check (kind in ('platform', 'custom')),
  constraint agent_status check (status in ('active', 'paused')),
  constraint agent_unsupported_sentences check (unsupported_sentences in ('cut', 'hand_off')),
  constraint agent_wording check (wording in ('quotes', 'own')),
  constraint "FK_8089c65ed6ce39a2a79405bb0e7" foreign key (tenant_id)
    references tenant (id)
);
create unique index agent_of_platform on agent (tenant_id, role) where kind = 'platform';
call isolate('agent');

create table agent_workspace (
  tenant_id uuid not null,
  agent_id uuid not null,
  workspace_id uuid not null,
  constraint "PK_710125b1116edbf068b11f45837" primary key (tenant_id, agent_id, workspace_id),
  constraint "FK_8c7d7afd574f8982b76e7d5373f" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade,
  constraint "FK_1aae7ecffd2d894a5bb9f9cc9b3" foreign key (tenant_id, agent_id)
    references agent (tenant_id, id) on delete cascade
);
create index agent_workspace_by_workspace on agent_workspace (tenant_id, workspace_id);
call isolate('agent_workspace');

create table agent_instructions (
  tenant_id uuid not null,
  agent_id uuid not null,
  version integer not null,
  instructions text not null,
  changed_by uuid,
  reason text,
  created_at timestamptz(3) not null default now(),
  constraint "PK_3c861f749bf5b51c47e9babfc43" primary key (tenant_id, agent_id, version),
  constraint "FK_30f0755a6eec797cdb6dd085aea" foreign key (tenant_id, agent_id)
    references agent (tenant_id, id) on delete cascade
);
call isolate('agent_instructions');

create table conversation_agent (
  tenant_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null,
  ended_at timestamptz(3),
  constraint "PK_7ae855a6d044fb1a3649ee5f981" primary key (tenant_id, conversation_id, agent_id),
  constraint "FK_a9568f61f6717d8fdc320fb2b89" foreign key (tenant_id, agent_id)
    references agent (tenant_id, id) on delete cascade,
  constraint "FK_eb027c2dabb492d3fc13858109f" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index conversation_agent_of_agent on conversation_agent (tenant_id, agent_id);
call isolate('conversation_agent');
