-- Tenants with their brands, workspaces and channels. A tenant has a live and a test side, each with an id of its own.

create table tenant (
  id uuid not null,
  organisation_id uuid not null,
  environment text not null,
  name text not null,
  external_id text,
  created_at timestamptz(3) not null default now(),
  webhooks_preview boolean not null default false,
  sign_in_valid_minutes smallint not null default '15',
  require_second_factor boolean not null default false,
  constraint "PK_da8c6efd67bb301e810e56ac139" primary key (id),
  constraint tenant_sides unique (organisation_id, environment),
  constraint tenant_organisation unique (id, organisation_id),
  constraint "UQ_f19ccd188c3059519b8bb6a831a" unique (external_id),
  constraint tenant_environment check (environment in ('live', 'test')),
  constraint tenant_sign_in_valid_minutes check (sign_in_valid_minutes between 5 and 1440)
);
grant select, insert, update on tenant to parley_app;

create table signing_key (
  tenant_id uuid not null,
  id uuid not null,
  public_key text not null,
  sealed bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_7182801fe3bbdc18f66e6220d9b" primary key (tenant_id, id),
  constraint "FK_06cb3f473bec473d55c006e0af1" foreign key (tenant_id)
    references tenant (id)
);
create unique index signing_key_of_tenant on signing_key (tenant_id);
call isolate('signing_key', grants => 'select, insert');

create table brand (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_3d964a24a729352bc44363c4274" primary key (tenant_id, id),
  constraint "FK_515de745acc073b9917eaed3a78" foreign key (tenant_id)
    references tenant (id)
);
call isolate('brand');

create table workspace (
  tenant_id uuid not null,
  id uuid not null,
  brand_id uuid not null,
  name text not null,
  status text not null default 'active',
  primary_language text not null default 'en',
  timezone text not null default 'UTC',
  assistant_enabled boolean not null default true,
  mail_footer text,
  mail_logo_url text,
  logo_id uuid,
  identity_retention_months smallint not null default '24',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  constraint "PK_1ffa5d928c6cc9f8dde5914e756" primary key (tenant_id, id),
  constraint workspace_brand unique (tenant_id, id, brand_id),
  constraint workspace_status check (status in ('active', 'inactive', 'archived')),
  constraint workspace_retention check (identity_retention_months between 3 and 84),
  constraint "FK_b4805f6ed3daffdba7b9240548c" foreign key (tenant_id, brand_id)
    references brand (tenant_id, id)
);
create index workspace_deleted on workspace (tenant_id, id) where deleted_at is not null;
create index workspace_of_brand on workspace (tenant_id, brand_id);
call isolate('workspace', grants => 'select, insert, update');

create table workspace_logo (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  content_type text not null,
  bytes bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_d0c5c66e78c6df8f57d1d41ca06" primary key (tenant_id, id),
  constraint workspace_logo_size check (octet_length(bytes) <= 102400),
  constraint "FK_9f947feb461531d9b809d58d18c" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index workspace_logo_of on workspace_logo (tenant_id, workspace_id, created_at);
call isolate('workspace_logo');

create table channel (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  type text not null,
  name text not null,
  status text not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  address text,
  settings jsonb not null default '{}',
  credentials bytea,
  credential_fingerprint text,
  sign_in jsonb,
  sign_in_begun_at timestamptz(3),
  tokens bytea,
  renewing_until timestamptz(3),
  delivers boolean not null default false,
  fetched boolean not null default false,
  signature text,
  revision integer not null default 1,
  attempts integer not null default 0,
  last_error text,
  next_retry_at timestamptz(3),
  failing_since timestamptz(3),
  last_test jsonb,
  constraint "PK_11a09fe0a2af965944a7887a36c" primary key (tenant_id, id),
  constraint channel_type check (type in ('webchat', 'email', 'sms', 'voice', 'contact_form', 'api')),
  constraint channel_status check (status in ('provisioning', 'active', 'error', 'disabled')),
  constraint channel_credentials check ((credentials is null) = (credential_fingerprint is null)),
  constraint "FK_f0db86a6148348eba6561896a24" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index channel_of_workspace on channel (tenant_id, workspace_id);
call isolate('channel');

create table channel_due (
  tenant_id uuid not null,
  channel_id uuid not null,
  due_at timestamptz(3) not null default now(),
  constraint "PK_195c6aeaff4d5feeb14d448f0c7" primary key (tenant_id, channel_id),
  constraint "FK_195c6aeaff4d5feeb14d448f0c7" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
create index channel_due_next on channel_due (due_at);
create index channel_due_turn on channel_due (tenant_id, due_at);
grant select, insert, update, delete on channel_due to parley_app;

create table channel_lookup (
  channel_id uuid not null,
  tenant_id uuid not null,
  constraint "PK_0237650125cf0dab0a66ada1878" primary key (channel_id),
  constraint "FK_06f3bc2b61ef6be1acc1ebbfd32" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
grant select, insert on channel_lookup to parley_app;

create table purge_queue (
  tenant_id uuid not null,
  workspace_id uuid not null,
  removed jsonb not null default '{}',
  constraint "PK_f7b39ef94018ef81fa030da823b" primary key (tenant_id, workspace_id),
  constraint "FK_f7b39ef94018ef81fa030da823b" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
grant select, insert, update, delete on purge_queue to parley_app;
