-- Policies with their search index.

create table policy_entry (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  status text not null,
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
  changed_by uuid,
  change_reason text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  title text not null,
  rule text not null,
  category text,
  effect text not null,
  tools text[] not null default '{}',
  conditions jsonb,
  required_assurance_level text,
  priority integer not null default 100,
  learned_from text,
  constraint "PK_714eca7b1884b215e2e4bf06c6b" primary key (tenant_id, id),
  constraint policy_entry_status check (status in ('pending', 'approved', 'rejected', 'archived')),
  constraint policy_entry_source check (source in ('manual', 'learning', 'import', 'source')),
  constraint policy_entry_confidence check (confidence between 0 and 1),
  constraint policy_entry_effect check (effect in ('allow', 'require_approval', 'escalate', 'deny')),
  constraint policy_entry_level check (required_assurance_level in ('identified', 'high-assurance')),
  constraint policy_entry_priority check (priority between 0 and 1000),
  constraint "FK_1630f50e2f61773575e70dd44f1" foreign key (tenant_id, duplicate_of_id)
    references policy_entry (tenant_id, id),
  constraint "FK_5f54927d9ea7e5ceef3b6285ccf" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index policy_entry_duplicates on policy_entry (tenant_id, duplicate_of_id)
  where duplicate_of_id is not null;
create unique index policy_entry_learned on policy_entry (tenant_id, workspace_id, learned_from)
  where learned_from is not null;
create index policy_entry_by_status on policy_entry (tenant_id, workspace_id, status, created_at, id);
create index policy_entry_of_workspace on policy_entry (tenant_id, workspace_id, created_at, id);
call isolate('policy_entry');

create table policy_entry_version (
  tenant_id uuid not null,
  entry_id uuid not null,
  version integer not null,
  content jsonb not null,
  changed_by uuid,
  reason text,
  created_at timestamptz(3) not null,
  constraint "PK_cfadbc426326a29de055af50502" primary key (tenant_id, entry_id, version),
  constraint "FK_f2c828e611f279ac239cf71bbb0" foreign key (tenant_id, entry_id)
    references policy_entry (tenant_id, id) on delete cascade
);
call isolate('policy_entry_version');

create table policy_text (
  tenant_id uuid not null,
  entry_id uuid not null,
  n integer not null,
  workspace_id uuid not null,
  approved boolean not null,
  said text not null,
  valid_until timestamptz(3),
  terms integer[] not null,
  constraint "PK_bb1ead78c69a2329c01c18883d7" primary key (tenant_id, entry_id, n),
  constraint "FK_f0e63d8d28cb51cdb5c92cc83fa" foreign key (tenant_id, entry_id)
    references policy_entry (tenant_id, id) on delete cascade
);
call isolate('policy_text');

create table policy_posting (
  tenant_id uuid not null,
  workspace_id uuid not null,
  approved boolean not null,
  term integer not null,
  entry_id uuid not null,
  ns smallint[] not null,
  constraint "PK_28bf45ac5cc392e15eecaa65393" primary key (
    tenant_id, workspace_id, approved, term, entry_id, ns
  )
);
call isolate('policy_posting');

create table policy_tool (
  tenant_id uuid not null,
  workspace_id uuid not null,
  tool text not null,
  entry_id uuid not null,
  constraint "PK_2f939a2d863610d86853a451eaf" primary key (tenant_id, workspace_id, tool, entry_id),
  constraint "FK_0093ec0cd484d4f9299d9767b63" foreign key (tenant_id, entry_id)
    references policy_entry (tenant_id, id) on delete cascade
);
create index policy_tool_of_entry on policy_tool (tenant_id, entry_id);
call isolate('policy_tool');
