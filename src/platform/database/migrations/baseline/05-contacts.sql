-- Accounts, contacts with their addresses, and what both are found by.

create table account (
  tenant_id uuid not null,
  id uuid not null,
  external_id text,
  name text not null,
  domains text[] not null default '{}',
  industry text,
  plan text,
  attributes jsonb not null default '{}',
  sort_name text collate "C" not null default chr(1114111),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_eb3035a55f86ed86677dcc946cc" primary key (tenant_id, id),
  constraint account_external_id unique (tenant_id, external_id),
  constraint "FK_c7cc4dfd56eae9c297242dcb153" foreign key (tenant_id)
    references tenant (id)
);
create index account_recent on account (tenant_id, created_at, id);
create index account_by_name on account (tenant_id, sort_name, id);
create index account_recent_of_industry on account (tenant_id, industry, created_at, id);
create index account_by_name_of_industry on account (tenant_id, industry, sort_name, id);
create index account_recent_of_plan on account (tenant_id, plan, created_at, id);
create index account_by_name_of_plan on account (tenant_id, plan, sort_name, id);
call isolate('account');

create table contact (
  tenant_id uuid not null,
  id uuid not null,
  external_id text,
  external_id_vouched_within uuid[],
  name text,
  language text,
  account_id uuid,
  labels text[] not null default '{}',
  attributes jsonb not null default '{}',
  blocked boolean not null default false,
  merged_into_id uuid,
  last_seen_at timestamptz(3) not null default '-infinity',
  sort_name text collate "C" not null default chr(1114111),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  erased_at timestamptz(3),
  deleted_at timestamptz(3),
  constraint "PK_adcc7062038573c7e9ea41dab26" primary key (tenant_id, id),
  constraint contact_external_id unique (tenant_id, external_id),
  constraint contact_merged_into_another check (merged_into_id <> id),
  constraint contact_erased check (
    erased_at is null or (external_id is null and name is null and language is null and account_id is null
    and labels = '{}' and attributes = '{}' and merged_into_id is null and sort_name = chr(1114111))
  ),
  constraint "FK_8f6494c18fcb517067c8568d4c0" foreign key (tenant_id, account_id)
    references account (tenant_id, id),
  constraint "FK_2309babdc97315ac4ac9a3008c9" foreign key (tenant_id, merged_into_id)
    references contact (tenant_id, id),
  constraint "FK_08659a4b4210fdb80bd62139099" foreign key (tenant_id)
    references tenant (id)
);
create index contact_merged_into on contact (tenant_id, merged_into_id) where merged_into_id is not null;
create index contact_deleted on contact (tenant_id, deleted_at)
  where deleted_at is not null and erased_at is null;
create index contact_of_account on contact (tenant_id, account_id) where account_id is not null;
create index contact_recent_of_account on contact (tenant_id, account_id, created_at, id)
  where erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_recent_of_maker on contact (tenant_id, created_by, created_at, id)
  where erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_recent on contact (tenant_id, created_at, id)
  where erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_by_last_seen_of_maker on contact (tenant_id, created_by, last_seen_at, id)
  where created_by is not null and erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_by_last_seen on contact (tenant_id, last_seen_at, id)
  where erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_by_name_of_maker on contact (tenant_id, created_by, sort_name, id)
  where created_by is not null and erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_by_name on contact (tenant_id, sort_name, id)
  where erased_at is null and deleted_at is null and merged_into_id is null;
create index contact_blocked on contact (tenant_id, id)
  where blocked and erased_at is null and deleted_at is null and merged_into_id is null;
call isolate('contact');

create table contact_point (
  tenant_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  kind text not null,
  value text not null,
  position integer not null,
  verified_at timestamptz(3),
  added_at timestamptz(3) not null default clock_timestamp(),
  vouched_within uuid[],
  original boolean not null default false,
  constraint "PK_55c718d5a7f426c8726f1dc3d5d" primary key (tenant_id, id),
  constraint contact_point_once unique (tenant_id, contact_id, kind, value),
  constraint contact_point_kind check (kind in ('email', 'phone')),
  constraint "FK_f2d1cadbd0fb575747a97d202a7" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id) on delete cascade
);
create index contact_point_value on contact_point (tenant_id, kind, value);
create unique index contact_point_verified on contact_point (tenant_id, kind, value)
  where verified_at is not null;
call isolate('contact_point');

create table contact_workspace (
  tenant_id uuid not null,
  contact_id uuid not null,
  workspace_id uuid not null,
  contact_created_at timestamptz(3) not null,
  contact_last_seen_at timestamptz(3) not null,
  contact_sort_name text collate "C" not null,
  constraint "PK_d1be46dc738f345a8a24a8ac476" primary key (tenant_id, contact_id, workspace_id),
  constraint "FK_a6c28af27d61a3046ef70a755c6" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id) on delete cascade,
  constraint "FK_1a2e55fcba3f521f3223c7c310b" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index contact_workspace_by_last_seen on contact_workspace
  (tenant_id, workspace_id, contact_last_seen_at, contact_id);
create index contact_workspace_by_name on contact_workspace (tenant_id, workspace_id, contact_sort_name, contact_id);
create index contact_workspace_recent on contact_workspace (tenant_id, workspace_id, contact_created_at, contact_id);
call isolate('contact_workspace');

create table contact_label (
  tenant_id uuid not null,
  contact_id uuid not null,
  label text not null,
  constraint "PK_f7d952f6ee135eccfbf73978b64" primary key (tenant_id, contact_id, label),
  constraint "FK_ae940574124af036348a2ab0383" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id) on delete cascade
);
create index contact_label_of on contact_label (tenant_id, label, contact_id);
call isolate('contact_label');

create table directory_entry (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  created_by uuid,
  text text not null,
  grams bigint[] not null,
  constraint "PK_253d42e37650fee447c14f81242" primary key (tenant_id, id)
);
-- The pending list writes many entries into the index at once.
create index directory_entry_grams on directory_entry using gin (grams) with (gin_pending_list_limit = 256);
-- No grant: the application's role can neither read nor write this table.
